/** Tests the limits of a rehearsal, and the comments that ignore them. */
import { expect, test } from 'vitest'
import { findViolations } from '#contents/rehearsal/judge/check-limits'
import { type Ignores, readPlaces } from '#contents/rehearsal/judge/places'
import type { Limits } from '#contents/rehearsal/result/limits'
import type { MeasuredStatement } from '#contents/rehearsal/result/stored'
import { ViolationError } from '#database/violations'
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

test('names both limits with their inputs if a lock exceeds both', () => {
  const limits = { maxReadBlock: 200, maxWriteBlock: 2000 }
  const migration = { limits, catalog: catalog(table({})), version: 18, duration: 0, wal: 0 }
  const [violation, ...others] = findViolations(migration, [
    { sql: 'alter table orders change', statement: statement({ locks: [lock] }), ignores: {} },
  ])
  expect(others).toEqual([])
  expect(violation?.message).toBe(
    'reads and writes of orders blocked for 3 s (limits 200 ms for reads and 2 s for writes)',
  )
  expect(violation && new ViolationError(violation, 0).next).toContain(
    '; or raise max_read_block and max_write_block, or write',
  )
})

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

test.each([
  ['-- managed-database: ignore lock nobody writes', {}, true],
  ['-- managed-database: ignore lock', {}, true],
  ['-- managed-database: ignore data because it is old', {}, true],
  ['-- manged-database: ignore lock because nobody works at night', {}, true],
  ['-- managed-database: ignore wal because replicas are idle', { wal: 'replicas are idle' }, false],
  ["select '-- managed-database: ignore';", {}, false],
])('reads the reason to ignore a finding, or reports the comment: %s', (line, ignores, isMalformed) => {
  const places = readPlaces([{ name: 'm.sql', text: `select 1;\n${line}\ndrop table orders` }])
  expect(places.malformed).toEqual(isMalformed ? [{ file: 'm.sql', line: 2 }] : [])
  expect(places.find('drop table orders').ignores).toEqual(ignores)
})
