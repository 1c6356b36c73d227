/** Rehearses safe and harmful migrations, and expects exactly their findings. */
import { beforeAll, describe, expect, it } from 'vitest'
import { keysOf } from '#base/table'
import { effectKinds } from '#contents/rehearsal/measure/effects'
import { limits as limitTable } from '#contents/rehearsal/result/limits'
import type { Effect, Rehearsal, Violation } from '#contents/rehearsal/result/stored'
import { type Outputs, runSql } from '../../support/fork.ts'
import { addDatabase, dropDatabase, shareServer } from '../../support/shared-server.ts'
import { thoroughness } from '../../support/thoroughness.ts'
import { type Case, harmful, limits, safe, wait } from './support/cases.ts'
import { type Options, rehearseSql } from './support/rehearsed.ts'
import { fill, inCase } from './support/shop.ts'

let service: Outputs
let databases = 0

beforeAll(async () => {
  service = await shareServer()
})

/** Rehearses the migrations in a new database with their tables. Each is a file. */
async function rehearseAll(migrations: string[], options: Options = {}): Promise<Rehearsal> {
  const outputs = await addDatabase(service, `cases_${++databases}`)
  await runSql(outputs, fill(migrations))
  const { rehearsal } = await rehearseSql(outputs, migrations.map(inCase), { limits, ...options })
  await dropDatabase(service, outputs)
  expect(rehearsal.verdict).not.toBe('not measured')
  return rehearsal
}

const rehearseOne = (sql: string, options?: Options) => rehearseAll([sql], options)

type Finding = Violation | Effect

const kindsOf = (findings: Finding[]) =>
  [...new Set(findings.map(finding => ('limit' in finding ? finding.limit : finding.kind)))].sort()

/** The findings about the tables of each case, which have its number in their names. A rehearsal measures many cases. */
async function findAll(cases: Case[]): Promise<Map<Case, Finding[]>> {
  const found = new Map<Case, Finding[]>()
  for (const transaction of [true, false]) {
    const some = cases.filter(one => (one.transaction ?? true) === transaction)
    const rehearsal = await rehearseAll(
      some.map(({ sql }) => sql),
      { transaction },
    )
    expect(rehearsal.problem).toBeUndefined()
    const all = Map.groupBy([...rehearsal.violations, ...rehearsal.effects], ({ message }) =>
      Number(/_(\d+)[_.]/.exec(message)?.[1]),
    )
    for (const [index, one] of some.entries()) {
      found.set(one, all.get(index) ?? [])
      all.delete(index)
    }
    expect([...all]).toEqual([])
  }
  return found
}

const chosen = <One extends Case>(cases: One[]) => cases.filter(({ isRare }) => thoroughness > 1 || !isRare)

/** Findings of a test of their own: in another file, of the whole migration, or after a failed statement. */
const elsewhere = ['retention added', 'large objects deleted', 'max_duration', 'max_wal', 'index invalid']

it.each([
  ['a harmful migration', harmful.flatMap(({ finds }) => finds)],
  ['a safe one that resembles it', safe.flatMap(({ resembles = [] }) => resembles)],
])('has %s for each kind of finding', (_, kinds: string[]) => {
  const missing = [...effectKinds, ...keysOf(limitTable)].filter(
    kind => ![...kinds, ...elsewhere].includes(kind),
  )
  expect(missing, 'add a migration to test/contents/rehearsal/support/cases.ts').toEqual([])
})

describe('a safe migration', () => {
  const cases = chosen(safe)
  const found = new Map<Case, Finding[]>()
  beforeAll(async () => {
    // On a machine that stops for a moment any lock is long, so failed cases run again.
    for (let tries = 0; tries < 3; tries++) {
      const failed = cases.filter(one => found.get(one)?.some(finding => 'limit' in finding) ?? true)
      if (failed.length === 0) return
      for (const [one, findings] of await findAll(failed)) found.set(one, findings)
    }
  })

  it.each(cases)('passes: $sql', one => {
    const findings = found.get(one) ?? []
    expect(kindsOf(findings), JSON.stringify(findings)).toEqual(one.finds ?? [])
    expect(findings.filter(finding => 'kind' in finding && finding.destructive)).toEqual([])
  })
})

describe('a harmful migration', () => {
  const cases = chosen(harmful)
  let found: Map<Case, Finding[]>
  beforeAll(async () => {
    found = await findAll(cases)
  })

  it.each(cases)('is found: $sql', one => {
    const findings = found.get(one) ?? []
    expect(kindsOf(findings), JSON.stringify(findings)).toEqual(one.finds.toSorted())
    const losses = findings.flatMap(finding => ('kind' in finding ? [finding.destructive] : []))
    expect(new Set(losses), 'loss of the row, and losesData of the case').toEqual(
      new Set(losses.map(() => one.losesData ?? false)),
    )
    const messages = findings.map(({ message }) => message)
    expect(messages.filter(message => /undefined|NaN|an unknown number/.test(message))).toEqual([])
  })
})

it('judges the duration and the WAL of the migration as a whole', async () => {
  const sql = '-- managed-database: ignore wal because it is little\ncreate table notes (note text)'
  const { violations } = await rehearseOne(sql, { limits: { maxDuration: 0.001, maxWal: 1 } })
  expect(violations).toMatchObject([
    { limit: 'max_duration', message: expect.stringMatching(/^the migration took .* \(limit 0.001 ms\)$/) },
    {
      ...{ limit: 'max_wal', ignored: 'it is little' },
      message: expect.stringMatching(/ written to the log of the server \(limit 1 B\)$/),
    },
  ])
})

it('reports an invalid index, which a failed CREATE INDEX CONCURRENTLY leaves behind', async () => {
  const sql = 'create unique index concurrently by_status on orders (status)'
  const { effects } = await rehearseOne(sql, { transaction: false })
  expect(effects).toMatchObject([
    { kind: 'index invalid', destructive: false, advice: expect.stringMatching(/^drop it with/) },
  ])
})

it('reports rows that a procedure deletes and commits without a lock snapshot', async () => {
  const sql =
    '-- in steps\ndo $$ begin delete from coupons where price <= 3; commit; delete from coupons where price = 4; end $$'
  const { verdict, effects } = await rehearseOne(sql, { transaction: false })
  const message = expect.stringMatching(/^4 rows deleted from .*coupons/)
  expect({ verdict, effects }).toMatchObject({ verdict: 'passed', effects: [{ message, destructive: true }] })
})

it('ignores changes and locks that were rolled back to a savepoint', async () => {
  const sql = `
    savepoint "a b"; delete from coupons; truncate visits; lock table customers in exclusive mode;
    rollback to savepoint "a b"; ${wait}; savepoint b; delete from coupons where price <= 2; release savepoint b;
    savepoint B; delete from coupons where price = 3; rollback work to b`
  const { verdict, violations, effects } = await rehearseOne(sql)
  expect({ verdict, violations, effects: effects.map(({ message }) => message) }).toEqual({
    ...{ verdict: 'passed', violations: [] },
    effects: [expect.stringMatching(/^2 rows deleted from .*coupons/)],
  })
})

it('attributes attached and detached partitions to the migration', async () => {
  const sql = 'alter table events detach partition events_2025 concurrently'
  const { verdict, problem } = await rehearseOne(sql, { transaction: false })
  expect({ verdict, problem }).toEqual({ verdict: 'passed', problem: undefined })
})

it('gives advice on a constraint of a domain, which blocks writers of all its tables', async () => {
  const sql = 'alter domain total_domain add constraint positive check (slow(value) > 0)'
  const { violations } = await rehearseOne(sql)
  expect(violations).toMatchObject([
    { limit: 'max_write_block', advice: expect.stringMatching(/^add it NOT VALID/) },
  ])
})
