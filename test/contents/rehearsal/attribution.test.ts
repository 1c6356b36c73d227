/** Tests the attribution of locks and new files to one of several statements. */
import { expect, test } from 'vitest'
import {
  chooseLocker,
  chooseRewriter,
  mentions,
  type RecordedStatement,
} from '#contents/rehearsal/measure/attribution'
import { statement } from './rehearsals.ts'

const recorded = (sql: string, wal: number): RecordedStatement => ({
  ...{ ...statement({ wal }), sql, sentAt: 0, startedAt: 0, endedAt: 0 },
})

test.each([
  ['alter table orders add x int', 'orders', true],
  ['alter table "Orders" add x int', '"Orders"', true],
  ['alter table shop.orders add x int', 'shop.orders', true],
  ["select create_hypertable('orders', 'at')", 'orders', true],
  ['alter table orders_archive add o int references orders', 'orders', true],
  ['alter table orders_archive add x int', 'orders', false],
  ['alter table reorders add x int', 'orders', false],
  ['alter table orders$ add x int', 'orders', false],
  ['alter table ordersé add x int', 'orders', false],
])('finds a name as a whole word only: %s', (sql, name, isMentioned) => {
  expect(mentions({ sql }, name)).toBe(isMentioned)
})

test.each([
  ['create index on orders (note)', 'alter table orders drop column note'],
  ['create unique index a on orders (note)', 'truncate orders'],
  ['create or replace trigger a before insert on orders execute function f()', 'drop trigger b on orders'],
  ["comment on table orders is 'a'", 'alter table orders drop column note'],
])('attributes an exclusive lock of one message not to "%s", but to "%s"', (weak, strong) => {
  const [first, second] = [weak, strong].map(sql => recorded(sql, 0))
  const everything = { from: -Infinity, until: Infinity }
  const found = chooseLocker([first, second] as RecordedStatement[], 'orders', 'ACCESS EXCLUSIVE', everything)
  expect(found).toBe(second)
  expect(
    chooseLocker([first, second] as RecordedStatement[], 'orders', 'SHARE UPDATE EXCLUSIVE', everything),
  ).toBe(first)
})

test('attributes a rewrite to the statement that names the table, not to one that names a longer name', () => {
  const small = recorded('alter table orders alter id type bigint', 1)
  const large = recorded('alter table orders_archive alter id type bigint', 100)
  expect(chooseRewriter([small, large], 'orders')).toBe(small)
})
