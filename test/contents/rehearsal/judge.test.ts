/** Tests the limits of a rehearsal, and the comments that ignore them. */
import { expect, test } from 'vitest'
import { findViolations } from '#contents/rehearsal/judge/limits'
import { type Ignores, readPlaces } from '#contents/rehearsal/judge/places'
import type { Limits } from '#contents/rehearsal/result/limits'
import type { MeasuredStatement } from '#contents/rehearsal/result/stored'
import { catalog, statement, table } from './rehearsals.ts'

interface Given {
  limits: Limits
  measured: Partial<MeasuredStatement>
  wal?: number
  ignores?: Ignores
}

const judge = ({ limits, measured, wal = 0, ignores = {} }: Given) =>
  findViolations({ limits, catalog: catalog(table({})), version: 18, duration: 0, wal }, [
    { sql: 'alter table orders change', statement: statement(measured), ignores },
  ]).map(({ limit, ignored }) => [limit, ignored])

const lock = { table: 'orders', mode: 'ACCESS EXCLUSIVE', held: 3000, blocks: ['reads', 'writes'] }
const rewrite = { table: 'orders', bytes: 8192 }

test('does not ignore a rewrite for a reason to ignore a lock', () => {
  const measured = { rewrites: [rewrite] }
  const given = { limits: { maxRewrite: 8191 }, measured }
  expect(judge({ ...given, ignores: { lock: 'a' } })).toEqual([['max_rewrite', undefined]])
  expect(judge({ ...given, ignores: { rewrite: 'b' } })).toEqual([['max_rewrite', 'b']])
})

test('judges a table of exactly min_table_size', () => {
  const measured = { locks: [lock] }
  expect(judge({ limits: { maxReadBlock: 2999, minTableSize: 8192 }, measured })).toHaveLength(1)
  expect(judge({ limits: { maxReadBlock: 2999, minTableSize: 8193 }, measured })).toEqual([])
})

test.each([
  [100, []],
  [101, [['max_wal', undefined]]],
])('allows 100 bytes of WAL with a limit of 100 bytes: %i', (wal, found) => {
  expect(judge({ limits: { maxWal: 100 }, measured: {}, wal })).toEqual(found)
})

test('reports a comment that ignores a lock without a reason', () => {
  const places = readPlaces([
    { name: 'm.sql', text: 'select 1;\n-- managed-database: ignore lock nobody writes\ndrop table orders' },
  ])
  expect(places.malformed).toEqual([{ file: 'm.sql', line: 2 }])
  expect(places.find('drop table orders').ignores).toEqual({})
})
