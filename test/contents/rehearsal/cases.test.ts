/** Rehearses safe and harmful migrations, and expects exactly their findings. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { effectKinds } from '#contents/rehearsal/measure/effects'
import { limits as limitTable } from '#contents/rehearsal/result/limits'
import type { Rehearsal } from '#contents/rehearsal/result/stored'
import { type Outputs, runSql } from '../../support/fork.ts'
import { shareServer } from '../../support/shared-server.ts'
import { thoroughness } from '../../support/thoroughness.ts'
import { type Case, type Harmful, harmful, limits, safe, wait } from './support/cases.ts'
import { rehearseSql } from './support/rehearsed.ts'
import { shop } from './support/shop.ts'

let service: Outputs
const database = 'one_case'
const copy = `create database ${database} template shop`

beforeAll(async () => {
  service = await shareServer()
  await runSql(service, 'create database shop')
  await runSql(service, shop, { database: 'shop' })
  // TimescaleDB connects to databases that allow connections, and a database in use cannot be copied.
  await runSql(service, 'alter database shop allow_connections false')
})
beforeEach(() => runSql(service, copy))
afterEach(() => runSql(service, `drop database ${database} with (force)`))

async function rehearseCase(one: Case & Pick<Harmful, 'limits'>): Promise<Rehearsal> {
  const options = { limits: one.limits ?? limits, transaction: one.transaction ?? true }
  const { rehearsal } = await rehearseSql({ ...service, database }, one.sql, options)
  return rehearsal
}

/** Each case takes its own database, and each harmful one half a second of locks. */
const chosen = <One extends Case>(cases: One[]) => cases.filter(({ isRare }) => thoroughness > 1 || !isRare)

it('has at least thirty safe and thirty harmful cases', () => {
  expect(Math.min(safe.length, harmful.length)).toBeGreaterThanOrEqual(30)
})

it('has a case for each kind of finding', () => {
  // A policy needs the full TimescaleDB edition, so its test is in test/real-timescaledb.
  const found = new Set<string>([...harmful.flatMap(({ finds }) => finds), 'retention added'])
  const missing = [...effectKinds, ...Object.keys(limitTable)].filter(kind => !found.has(kind))
  expect(missing, 'add a migration to test/contents/rehearsal/support/cases.ts').toEqual([])
})

it('judges the duration and the WAL of the migration as a whole', async () => {
  const sql = '-- managed-database: ignore wal because it is little\ncreate table notes (note text)'
  const options = { limits: { maxDuration: 0.001, maxWal: 1 } }
  const { rehearsal } = await rehearseSql({ ...service, database }, sql, options)
  expect(rehearsal.violations).toMatchObject([
    { limit: 'max_duration', message: expect.stringMatching(/^the migration took .* \(limit 0.001 ms\)$/) },
    {
      ...{ limit: 'max_wal', ignored: 'it is little' },
      message: expect.stringMatching(/ written to the log of the server \(limit 1 B\)$/),
    },
  ])
})

describe('a safe migration', () => {
  it.each(chosen(safe))('passes: $sql', async one => {
    let rehearsal = await rehearseCase(one)
    // On a machine that stops for a moment any lock is long, so a failed case runs again.
    const isSlow = () => rehearsal.verdict === 'failed' && rehearsal.problem === undefined
    for (let tries = 1; tries < 3 && isSlow(); tries++) {
      await runSql(service, `drop database ${database} with (force)`)
      await runSql(service, copy)
      rehearsal = await rehearseCase(one)
    }
    const { verdict, problem, violations } = rehearsal
    expect({ verdict, problem, violations }).toEqual({ verdict: 'passed', violations: [] })
    expect(rehearsal.effects.filter(({ destructive }) => destructive)).toEqual([])
  })
})

describe('a harmful migration', () => {
  it.each(chosen(harmful))('is found: $sql', async one => {
    const rehearsal = await rehearseCase(one)
    expect(rehearsal.verdict).not.toBe('not measured')
    const found = [
      ...rehearsal.violations.map(({ limit }) => limit),
      ...rehearsal.effects.map(({ kind }) => kind),
    ]
    expect([...new Set(found)].sort(), JSON.stringify(rehearsal)).toEqual(one.finds.toSorted())
    const losesData = one.losesData ?? false
    expect(rehearsal.destructive, 'loss of the row, and losesData of the case').toBe(losesData)
    for (const { kind, destructive } of rehearsal.effects)
      expect(destructive, `loss of the row "${kind}"`).toBe(losesData)
    const messages = [...rehearsal.violations, ...rehearsal.effects].map(({ message }) => message)
    expect(messages.filter(message => /undefined|NaN|an unknown number/.test(message))).toEqual([])
  })
})

it.each(['alter table events drop column what', 'drop table events'])(
  'counts the rows of a partitioned table once: %s',
  async sql => {
    const { effects } = await rehearseCase({ sql })
    expect(effects.map(({ message }) => message)).toEqual([expect.stringMatching(/ dropped, 300 /)])
  },
)

it('reports rows that a procedure deletes and commits without a lock snapshot', async () => {
  const sql =
    '-- in steps\ndo $$ begin delete from coupons where price <= 3; commit; delete from coupons where price = 4; end $$'
  const { verdict, effects } = await rehearseCase({ sql, transaction: false })
  const message = '4 rows deleted from coupons'
  expect({ verdict, effects }).toMatchObject({ verdict: 'passed', effects: [{ message, destructive: true }] })
})

it('ignores changes and locks that were rolled back to a savepoint', async () => {
  const sql = `
    savepoint "a b"; delete from coupons; truncate visits; lock table customers in exclusive mode;
    rollback to savepoint "a b"; ${wait}; savepoint b; delete from coupons where price <= 2; release savepoint b;
    savepoint B; delete from coupons where price = 3; rollback work to b`
  const { verdict, violations, effects } = await rehearseCase({ sql })
  expect({ verdict, violations, effects: effects.map(({ message }) => message) }).toEqual({
    ...{ verdict: 'passed', violations: [] },
    effects: ['2 rows deleted from coupons'],
  })
})

it('attributes attached and detached partitions to the migration', async () => {
  const sql = 'alter table events detach partition events_2025 concurrently'
  const { verdict, problem } = await rehearseCase({ sql, transaction: false })
  expect({ verdict, problem }).toEqual({ verdict: 'passed', problem: undefined })
})

it('gives advice on a constraint of a domain, which blocks writers of all its tables', async () => {
  const sql = 'alter domain total add constraint positive check (slow(value) > 0)'
  await runSql(service, 'create domain total as int; create table sums (sum total)', { database })
  await runSql(service, 'insert into sums select generate_series(1, 300)', { database })
  const { violations } = await rehearseCase({ sql })
  expect(violations).toMatchObject([
    { limit: 'max_write_block', advice: expect.stringMatching(/^add it NOT VALID/) },
  ])
})
