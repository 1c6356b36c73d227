/** Tests the verdict on several runs, and the runs that a note stores. */
import { describe, expect, it, test } from 'vitest'
import { parseStored } from '#base/stored'
import { addRun } from '#contents/rehearsal/result/add-run'
import {
  capRun,
  countingViolations,
  keepNewest,
  slimRun,
  sumUp,
  verdictOf,
  worstFirst,
} from '#contents/rehearsal/result/history'
import {
  historySchema,
  type MeasuredStatement,
  type MigrationRun,
  mostItems,
  type Rehearsal,
  type Violation,
} from '#contents/rehearsal/result/stored'
import { blocked, dropped, harmful, rehearsal, rewriting, run, statement } from './rehearsals.ts'

const other = 'b'.repeat(64)

const change = (id: string, file = '1.sql', given: Partial<MeasuredStatement> = {}) =>
  statement({ ...{ id, text: 'ALTER TABLE …', place: { file, line: 1 } }, ...given })
const read = statement({ id: 'read' })
/** A run of these statements that passed. */
const ran = (...ids: string[]): Partial<Rehearsal> => ({ statements: ids.map(id => change(id)) })
/** A violation of the statement at this index of its run. */
const beyond = (index: number, file = '1.sql'): Violation => ({
  ...{ ...blocked, statement: index },
  place: { file, line: 1 },
})
/** A violation of the whole migration. */
const { statement: _, ...slow } = { ...blocked, limit: 'max_duration' }

const passed = ran('fine')
const failed: Partial<Rehearsal> = {
  ...{ verdict: 'failed', statements: [read, change('slow')], violations: [beyond(1)] },
}
const tooSlow = { ...failed, ...ran('one', 'two'), violations: [slow] }
const ensuring = change('ensuring', '', { text: 'CREATE TABLE IF NOT EXISTS applied (id int)' })
const idle: Partial<Rehearsal> = { statements: [read, ensuring] }
const error = change('wrong', '2.sql', { failure: 'no such type (SQLSTATE 42704)' })
const broken: Partial<Rehearsal> = { verdict: 'failed', problem: 'no such type', statements: [error] }
const lost: Partial<Rehearsal> = {
  ...{ verdict: 'not measured', problem: 'connection lost', statements: [ensuring, change('unseen')] },
}
const missed: Partial<Rehearsal> = { verdict: 'not measured', problem: 'no statement', statements: [] }

const addAll = (given: Partial<Rehearsal>[]) =>
  given.reduce<MigrationRun[]>((runs, of) => keepNewest(addRun(runs, run(of))), [])

test.each<[string, string[] | undefined, number]>([
  ['keeps an unfinished object of an earlier run that is still unfinished', ['positive'], 1],
  ['removes one that a later run finished', ['other'], 0],
  ['keeps one if the unfinished objects are unknown', undefined, 1],
  ['keeps one if the list of unfinished objects is full', Array(mostItems).fill('other'), 1],
])('%s', (_, unfinished, left) => {
  const effect = { ...dropped, object: 'positive', destructive: false, advice: 'validate it' }
  const other = { ...effect, object: 'a dropped trigger' }
  const first = { ...passed, effects: [effect, other], unfinished: ['positive'] }
  const [earlier] = addAll([first, { ...ran('later'), unfinished }])
  expect(earlier?.rehearsal.effects).toHaveLength(left + 1)
})

describe('the verdict on all runs in a database', () => {
  test.each<[string, Partial<Rehearsal>[], Rehearsal['verdict']]>([
    ['of nothing', [], 'not measured'],
    ['of one that passed', [passed], 'passed'],
    ['of one that failed, also after another one passed', [failed, passed], 'failed'],
    ['of one that failed, also after a tool found nothing to do', [failed, idle, idle], 'failed'],
    ['of a failed one, where its statement then succeeded', [failed, ran('slow', 'more'), passed], 'passed'],
    [
      'of a failed one, where its statement ran among many others',
      [failed, ran(...Array.from({ length: 59 }, (_, at) => `${at}`), 'slow'), passed],
      'passed',
    ],
    [
      'of a failed one, where one of two statements ran again',
      [{ ...failed, ...ran('slow', 'slower'), violations: [beyond(0), beyond(1)] }, ran('slow')],
      'failed',
    ],
    [
      'of a failed one, where its statement ran again with an error',
      [failed, { ...broken, statements: [change('slow', '1.sql', { failure: 'refused' })] }, idle],
      'failed',
    ],
    ['of a failed one that ran again unmeasured', [failed, { ...lost, ...ran('slow') }, passed], 'failed'],
    ['of a slow one, of which a part ran again', [tooSlow, ran('one')], 'failed'],
    [
      'of a slow one that ran again with success',
      [tooSlow, { statements: [read, change('one'), change('two')] }],
      'passed',
    ],
    [
      'of one with more violations than are kept, where a statement ran again',
      [
        { ...failed, ...ran('slow'), violations: Array.from({ length: 41 }, () => beyond(0)) },
        ran('slow', 'more'),
      ],
      'failed',
    ],
    ['of a migration with an error', [broken], 'failed'],
    ['of a migration with an error that was corrected', [broken, passed], 'passed'],
    ['of a migration with an error that was removed', [broken, idle], 'passed'],
    [
      'of a migration with an error, after a file beyond a limit',
      [{ ...broken, statements: [change('slow'), error], violations: [beyond(0)] }, passed],
      'failed',
    ],
    [
      'of a migration with an error, in a file beyond a limit',
      [{ ...broken, statements: [change('slow', '2.sql'), error], violations: [beyond(0, '2.sql')] }, passed],
      'passed',
    ],
    ['of one that was not measured', [passed, lost], 'not measured'],
    ['of one that was not measured, after a tool found nothing to do', [lost, idle], 'not measured'],
    ['of one that was not measured, after an error', [lost, broken, idle], 'not measured'],
    ['of one that was measured later', [lost, passed], 'passed'],
    ['of one that ran on another database', [missed, idle], 'passed'],
    [
      'of one of which not all was learnt, and which was beyond a limit',
      [{ ...failed, ...{ verdict: 'not measured', problem: 'connection lost' } }, passed],
      'failed',
    ],
  ])('%s', (_, given, verdict) => {
    const runs = addAll(given)
    expect(verdictOf(runs)).toBe(verdict)
    expect(sumUp(runs).violations).toHaveLength(countingViolations(sumUp(runs)).length)
  })

  it('does not change a run whose statements all ran again', () => {
    const [first] = addAll([failed, ran('slow')])
    expect(first).toMatchObject({ replaced: true, rehearsal: { verdict: 'failed', statements: [] } })
    expect(first?.rehearsal.violations).toMatchObject([{ message: blocked.message, replaced: true }])
  })

  it('does not count statements that only read', () => {
    expect(addAll([failed])[0]).toMatchObject({
      ...{ omitted: 0, rehearsal: { statements: [{ id: 'slow' }], violations: [{ statement: 0 }] } },
    })
  })
})

describe('notable statements', () => {
  it('start with statements beyond a limit, then those that block the longest', () => {
    const short = statement({ locks: [{ table: 'a', mode: 'SHARE', held: 5, blocks: ['writes'] }] })
    const long = statement({ locks: [{ table: 'b', mode: 'SHARE', held: 900, blocks: ['writes'] }] })
    const refused = statement({ failure: '23505: not unique' })
    const statements = [statement(), short, long, rewriting, refused]
    expect(worstFirst(rehearsal({ statements, violations: [{ ...blocked, statement: 1 }] }))).toEqual([
      4, 1, 3, 2,
    ])
  })

  it('include no statement without a blocking lock or a rewrite', () => {
    const quiet = statement({ locks: [{ table: 'a', mode: 'ROW EXCLUSIVE', held: 9000, blocks: [] }] })
    expect(worstFirst(rehearsal({ statements: [statement(), quiet] }))).toEqual([])
  })
})

describe('a stored run', () => {
  const many: MigrationRun = run({
    statements: [...Array.from({ length: 500 }, () => statement({ text: 'x'.repeat(5000) })), rewriting],
    violations: [{ ...blocked, statement: 500 }],
  })

  it('has its worst statements, and the first other ones', () => {
    const capped = capRun(many)
    expect(capped.rehearsal.statements).toHaveLength(mostItems)
    expect(capped.rehearsal.statements.at(-1)).toEqual(rewriting)
    expect(capped.omitted).toBe(501 - mostItems)
  })

  it('has the index of the statement in each violation', () => {
    const { statements, violations } = capRun(many).rehearsal
    expect(statements[violations[0]?.statement ?? -1]).toEqual(rewriting)
  })

  it('is complete if it fits', () => {
    expect(capRun(run(harmful()))).toEqual(run(harmful()))
  })

  it('has only its worst statements after a later run', () => {
    const slim = slimRun(run(harmful()))
    const [, rewritten, deleted] = harmful().statements
    expect(slim).toMatchObject({ omitted: 2, rehearsal: { statements: [rewritten, deleted] } })
    expect(slim.rehearsal.violations[0]?.statement).toBe(0)
  })

  it('cuts no text within a character', () => {
    const text = `${'x'.repeat(299)}👍`
    expect(capRun(run({ problem: text })).rehearsal.problem?.isWellFormed()).toBe(true)
  })
})

describe('the stored runs', () => {
  const keepAll = (runs: MigrationRun[]) =>
    runs.reduce<MigrationRun[]>((kept, next) => keepNewest(kept.concat(capRun(next))), [])
  const hashOf = (index: number) => index.toString(16).padStart(64, '0')

  it('have a size limit', () => {
    const long = run({ ...harmful(), problem: 'x'.repeat(10_000), migrationHash: other })
    const runs = keepAll(Array.from({ length: 35 }, () => long))
    expect(runs).toHaveLength(30)
    expect(JSON.stringify(runs).length).toBeLessThan(100_000)
  })

  it('include the run that decides the verdict after many later runs', () => {
    const losing = run(rehearsal({ destructive: true, effects: [dropped], migrationHash: 'c'.repeat(64) }))
    const failing = run({ ...harmful(), destructive: false, migrationHash: 'd'.repeat(64) })
    const passing = Array.from({ length: 31 }, (_, index) => run({ migrationHash: hashOf(index) }))
    const runs = keepAll([losing, failing, ...passing])
    expect(runs).toHaveLength(30)
    expect(runs.slice(0, 2).map(({ rehearsal }) => rehearsal.migrationHash[0])).toEqual(['c', 'd'])
  })

  it('include the run that decides the verdict after a large last run', () => {
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

describe('an invalid stored history is refused', () => {
  const stored = (change: object) => ({
    ...{ service_id: 'parent', runs: [{ ...run(), rehearsal: { ...rehearsal(), ...change } }] },
  })

  test.each<[string, unknown]>([
    ['in another form', []],
    ['with an unknown verdict', stored({ verdict: 'approved' })],
    ['with a malformed hash', stored({ migrationHash: `${'a'.repeat(60)} -->` })],
    ['with a text that is too long', stored({ problem: 'x'.repeat(301) })],
    ['with too many statements', stored({ statements: new Array(41).fill(rehearsal().statements[0]) })],
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
