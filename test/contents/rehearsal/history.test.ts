import { describe, expect, it, test } from 'vitest'
import { capRun, slimRun, standingRuns, verdictOf, worstFirst } from '#contents/rehearsal/result/history'
import { type MigrationRun, mostItems, type Rehearsal } from '#contents/rehearsal/result/stored'
import { blocked, harmful, rehearsal, rewriting, run, statement } from './rehearsals.ts'

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
