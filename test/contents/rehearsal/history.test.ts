import { describe, expect, it, test } from 'vitest'
import { parseStored } from '#base/stored'
import {
  capRun,
  keepNewest,
  slimRun,
  standingRuns,
  verdictOf,
  worstFirst,
} from '#contents/rehearsal/result/history'
import {
  historySchema,
  type MigrationRun,
  mostItems,
  type Rehearsal,
} from '#contents/rehearsal/result/stored'
import { blocked, dropped, harmful, rehearsal, rewriting, run, statement } from './rehearsals.ts'

const one = 'a'.repeat(64)
const other = 'b'.repeat(64)
const passed: Partial<Rehearsal> = { migrationHash: one }
const failed: Partial<Rehearsal> = { migrationHash: other, verdict: 'failed', violations: [blocked] }
const broken: Partial<Rehearsal> = { migrationHash: other, verdict: 'failed', problem: 'syntax error' }
const lost: Partial<Rehearsal> = { migrationHash: other, verdict: 'not measured', problem: 'connection lost' }

describe('the verdict on all that was run in a database', () => {
  test.each<[string, Partial<Rehearsal>[], Rehearsal['verdict']]>([
    ['of nothing', [], 'not measured'],
    ['of one that passed', [passed], 'passed'],
    ['of one that failed, also after another one passed', [failed, passed], 'failed'],
    [
      'of one that failed and was run again with success',
      [failed, { ...passed, migrationHash: other }],
      'passed',
    ],
    ['of a migration with an error', [broken], 'failed'],
    ['of a migration with an error that was corrected', [broken, passed], 'passed'],
    ['of one of which nothing was learnt', [passed, lost], 'not measured'],
    ['of one of which more was learnt later', [lost, passed], 'passed'],
  ])('%s', (_, given, verdict) => {
    expect(verdictOf(given.map(of => run(of)))).toBe(verdict)
  })

  it('counts what was run again as it was last', () => {
    const runs = [run(failed), run(passed), run({ ...failed, violations: [] })]
    expect(standingRuns(runs)).toEqual(runs.slice(1))
  })
})

describe('the statements that a reader should see', () => {
  it('are those beyond a limit first, then those that block the longest', () => {
    const short = statement({ locks: [{ table: 'a', mode: 'SHARE', held: 5, blocks: ['writes'] }] })
    const long = statement({ locks: [{ table: 'b', mode: 'SHARE', held: 900, blocks: ['writes'] }] })
    const refused = statement({ failure: '23505: not unique' })
    const statements = [statement(), short, long, rewriting, refused]
    expect(worstFirst(rehearsal({ statements, violations: [{ ...blocked, statement: 1 }] }))).toEqual([
      4, 1, 3, 2,
    ])
  })

  it('are none where nobody waits, and nothing is rewritten', () => {
    const quiet = statement({ locks: [{ table: 'a', mode: 'ROW EXCLUSIVE', held: 9000, blocks: [] }] })
    expect(worstFirst(rehearsal({ statements: [statement(), quiet] }))).toEqual([])
  })
})

describe('a run that is kept', () => {
  const many: MigrationRun = run({
    statements: [...Array.from({ length: 500 }, () => statement({ text: 'x'.repeat(5000) })), rewriting],
    violations: [{ ...blocked, statement: 500 }],
  })

  it('has its worst statements, and the first of the others', () => {
    const capped = capRun(many)
    expect(capped.rehearsal.statements).toHaveLength(mostItems)
    expect(capped.rehearsal.statements.at(-1)).toEqual(rewriting)
    expect(capped.omitted).toBe(501 - mostItems)
  })

  it('says of each violation which of its own statements it was', () => {
    const { statements, violations } = capRun(many).rehearsal
    expect(statements[violations[0]?.statement ?? -1]).toEqual(rewriting)
  })

  it('is the same where there is room for all of it', () => {
    expect(capRun(run(harmful()))).toEqual(run(harmful()))
  })

  it('has its worst statements alone once a later one is there', () => {
    const slim = slimRun(run(harmful()))
    const [, rewritten, deleted] = harmful().statements
    expect(slim).toMatchObject({ omitted: 2, rehearsal: { statements: [rewritten, deleted] } })
    expect(slim.rehearsal.violations[0]?.statement).toBe(0)
  })

  it('holds no text that ends within a character', () => {
    const text = `${'x'.repeat(299)}👍`
    expect(capRun(run({ problem: text })).rehearsal.problem?.isWellFormed()).toBe(true)
  })
})

describe('the runs that are kept', () => {
  const keepAll = (runs: MigrationRun[]) =>
    runs.reduce<MigrationRun[]>((kept, next) => keepNewest(kept.concat(capRun(next))), [])
  const hashOf = (index: number) => index.toString(16).padStart(64, '0')

  it('have a limit, however much was run', () => {
    const long = run({ ...harmful(), problem: 'x'.repeat(10_000), migrationHash: other })
    const runs = keepAll(Array.from({ length: 35 }, () => long))
    expect(runs).toHaveLength(30)
    expect(JSON.stringify(runs).length).toBeLessThan(100_000)
  })

  it('hold what decides the verdict, however many runs pass later', () => {
    const losing = run(rehearsal({ destructive: true, effects: [dropped], migrationHash: 'c'.repeat(64) }))
    const failing = run({ ...harmful(), destructive: false, migrationHash: 'd'.repeat(64) })
    const passing = Array.from({ length: 31 }, (_, index) => run({ migrationHash: hashOf(index) }))
    const runs = keepAll([losing, failing, ...passing])
    expect(runs).toHaveLength(30)
    expect(runs.slice(0, 2).map(({ rehearsal }) => rehearsal.migrationHash[0])).toEqual(['c', 'd'])
  })

  it('hold what decides the verdict, however much the last run has to say', () => {
    const locks = Array.from({ length: 40 }, (_, index) => ({
      ...{ table: `${index}${'x'.repeat(290)}`, mode: 'SHARE', held: 9, blocks: ['writes'] },
    }))
    const statements = Array.from({ length: 40 }, () => statement({ locks }))
    const losing = run({ destructive: true, effects: [dropped], migrationHash: other })
    expect(
      keepAll([losing, run({ statements })]).map(({ rehearsal }) => [
        rehearsal.destructive,
        rehearsal.effects,
      ]),
    ).toEqual([
      [true, [dropped]],
      [false, []],
    ])
  })
})

describe('a stored history cannot be read', () => {
  const stored = (change: object) => ({
    service_id: 'parent',
    runs: [{ ...run(), rehearsal: { ...rehearsal(), ...change } }],
  })

  test.each<[string, unknown]>([
    ['in another form', []],
    ['with an unknown verdict', stored({ verdict: 'approved' })],
    ['with a malformed hash', stored({ migrationHash: `${'a'.repeat(60)} -->` })],
    ['with a text that is too long', stored({ problem: 'x'.repeat(301) })],
    [
      'with too many statements',
      stored({ statements: Array.from({ length: 41 }, () => rehearsal().statements[0]) }),
    ],
    ['with a text for a number', stored({ duration: '<b>' })],
    ['with a negative size', stored({ wal: -1 })],
    [
      'with an unknown field that is nested too deeply to be written again',
      stored({ newer: JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) }),
    ],
  ])('%s', (_, value) => {
    expect(parseStored(JSON.stringify(value), historySchema)).toHaveProperty('problem')
    expect(parseStored(JSON.stringify(stored({})), historySchema)).toHaveProperty('value')
  })
})
