/** Rehearsals and catalogs for tests. */
import { measureTables, type Relation, type Tables } from '#contents/rehearsal/measure/catalog'
import type {
  Effect,
  MeasuredStatement,
  MigrationRun,
  Rehearsal,
  Violation,
} from '#contents/rehearsal/result/stored'

export const statement = (given: Partial<MeasuredStatement> = {}): MeasuredStatement => ({
  ...{ text: 'SELECT …', duration: 3, locks: [], rewrites: [], rows: [], wal: 0, exact: true },
  ...given,
})

/** A rehearsal without findings, except the given fields. */
export const rehearsal = (given: Partial<Rehearsal> = {}): Rehearsal => ({
  ...{ verdict: 'passed', violations: [], statements: [statement()], effects: [], destructive: false },
  ...{ migrationHash: 'a'.repeat(64), duration: 1200, wal: 0, temporaryBytes: 0 },
  measuredOn: { serverVersion: '17.6', at: '2026-01-31T04:10:00.000Z' },
  ...given,
})

export const run = (given: Partial<Rehearsal> = {}, of: Partial<MigrationRun> = {}): MigrationRun => ({
  ...{ at: Date.parse('2026-01-31T12:00:00Z'), omitted: 0, rehearsal: rehearsal(given) },
  ...of,
})

export const blocked: Violation = {
  ...{ limit: 'max_write_block', measured: 42_000, allowed: 2000, table: 'orders', statement: 1 },
  message: 'writes to orders blocked for 42 s (limit 2 s)',
  advice: 'add the column without a default, set the default, and fill the rows in batches',
}

const gigabyte = 1024 ** 3

export const rewriting = statement({
  ...{ text: 'ALTER TABLE orders ADD COLUMN total numeric GENERATED …', duration: 41_900 },
  place: { file: 'db/migrations/0042_total.sql', line: 3 },
  locks: [
    { table: 'orders', mode: 'ACCESS EXCLUSIVE', parts: 812, held: 42_000, blocks: ['reads', 'writes'] },
  ],
  ...{ rewrites: [{ table: 'orders', bytes: 18 * gigabyte }], wal: 19 * gigabyte },
})

export const dropped: Effect = {
  ...{ kind: 'column dropped', object: 'orders.note', count: 1_204_000, isEstimate: true },
  ...{ message: 'column orders.note dropped, about 1,204,000 values', destructive: true },
}

export const harmful = (): Rehearsal =>
  rehearsal({
    verdict: 'failed',
    violations: [
      blocked,
      {
        ...{ limit: 'max_read_block', measured: 700, allowed: 500, table: 'coupons', statement: 2 },
        message: 'reads of coupons blocked for 0.7 s (limit 0.5 s)',
        advice: 'set lock_timeout, and try again where it is exceeded',
        ignored: 'nobody reads coupons at night',
      },
    ],
    statements: [
      statement({ text: 'CREATE TYPE state …', place: { file: 'db/migrations/0042_total.sql', line: 1 } }),
      rewriting,
      statement({
        ...{ text: 'DELETE FROM coupons WHERE …', duration: 120, wal: 8192 },
        place: { file: 'db/migrations/0043_coupons.sql', line: 1 },
        locks: [{ table: 'coupons', mode: 'ACCESS EXCLUSIVE', held: 700, blocks: ['reads', 'writes'] }],
      }),
      statement({
        text: 'CREATE TABLE totals …',
        place: { file: 'db/migrations/0043_coupons.sql', line: 9 },
      }),
    ],
    effects: [
      dropped,
      {
        ...{ kind: 'rows deleted', object: 'coupons', count: 3, destructive: true },
        message: '3 rows deleted from coupons',
      },
    ],
    ...{ destructive: true, duration: 43_000, wal: 19 * gigabyte },
  })

/** A table with one page of rows, except the given fields. */
export const table = (given: Partial<Relation>): Relation => ({
  ...{ id: 20_000, name: 'orders', fullName: 'public.orders', kind: 'r', partOf: null, isPart: false },
  ...{ isHypertable: false },
  ...{ shape: 'a', dependents: {}, file: 1, bytes: 8192, rows: 1, inserted: 0, updated: 0, deleted: 0 },
  ...{ modified: 0, live: 0, resets: 0, ...given },
})

export function catalog(...all: Relation[]): Tables {
  const relations = new Map(all.map(one => [one.id, one]))
  return { relations, extents: measureTables({ relations }), columns: new Map() }
}
