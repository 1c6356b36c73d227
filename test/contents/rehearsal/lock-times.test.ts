/** Compares measured lock times with the waits of a second session. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectTo, type Outputs, runSql } from '../../support/fork.ts'
import { addDatabase, shareServer } from '../../support/shared-server.ts'
import { rehearseSql } from './support/rehearsed.ts'
import { measureWaits } from './support/waits.ts'

let service: Outputs

beforeAll(async () => {
  service = await addDatabase(await shareServer(), 'lock_times')
})

beforeEach(() =>
  runSql(
    service,
    `drop owned by current_user cascade;
     create function slow(anyelement) returns anyelement immutable language plpgsql
       as 'begin perform pg_sleep(0.002); return $1; end';
     create table orders (id int primary key, note text);
     insert into orders select n, 'x' from generate_series(1, 700) n; analyze orders`,
  ),
)

const write = "update orders set note = 'y' where id = 1"
const read = 'select count(*) from orders'

/** Rehearses while a second session repeats a query. */
async function rehearseBeside(question: string, sql: string, transaction = true) {
  const client = await connectTo(service)
  const { result, longest } = await measureWaits(
    () => client.query(question),
    () => rehearseSql(service, sql, { transaction }),
  )
  await client.end()
  const { rehearsal } = result
  const kind = question === read ? 'reads' : 'writes'
  const locks = rehearsal.statements.flatMap(statement => statement.locks)
  return { rehearsal, longest, locks: locks.filter(({ blocks }) => blocks.includes(kind)) }
}

describe('the time of a lock is the wait of other sessions', () => {
  it.each([
    [
      'taken late by a statement',
      write,
      'do $$ begin perform pg_sleep(1); alter table orders add column paid boolean; perform pg_sleep(1.5); end $$',
      true,
    ],
    ['of a statement by itself', write, 'create index on orders (slow(id))', false],
    ['outside a transaction', read, 'create index on orders (slow(id)); vacuum full orders', false],
  ])('%s', async (_, question, sql, transaction) => {
    const { longest, locks, rehearsal } = await rehearseBeside(question, sql, transaction)
    const held = Math.max(...locks.map(lock => lock.held))
    expect(rehearsal.problem).toBeUndefined()
    expect(Math.max(held, longest)).toBeGreaterThan(1000)
    // A busy machine delays both. With a statement too much or too few, they differ by a second at least.
    expect(Math.abs(held - longest), `held ${held}, waited ${longest}`).toBeLessThan(700)
  })
})

it('does not include the time for which the migration itself waited for the lock', async () => {
  const other = await connectTo(service)
  await other.query(`begin; ${write}`)
  const rehearsing = rehearseSql(service, 'alter table orders add paid boolean', { transaction: false })
  await expect.poll(() => runSql(service, 'select from pg_locks where not granted')).toHaveLength(1)
  await sleep(1000)
  await other.end()
  const { rehearsal } = await rehearsing
  expect(rehearsal.duration).toBeGreaterThan(1000)
  expect(rehearsal.statements[0]?.locks).toMatchObject([{ mode: 'ACCESS EXCLUSIVE' }])
  expect(rehearsal.statements[0]?.locks[0]?.held).toBeLessThan(700)
})

it('lists a lock of a millisecond anywhere in a migration', async () => {
  for (const transaction of [true, false]) {
    const sql = `alter table orders alter note set default '${transaction}'`
    const { rehearsal } = await rehearseSql(service, sql, { transaction })
    expect(rehearsal.statements).toMatchObject([
      {
        exact: transaction,
        locks: [{ table: 'orders', mode: 'ACCESS EXCLUSIVE', blocks: ['reads', 'writes'] }],
      },
    ])
  }
})

describe('lists a lock outside a transaction that is too short for a sample', () => {
  it.each([
    ['of a dropped partition', 'drop table days_1', 'days', 'ACCESS EXCLUSIVE'],
    ['of a replaced view', 'create or replace view recent as select 2 as id', 'recent', 'ACCESS EXCLUSIVE'],
    ['of a function that names its table', "select change('orders')", 'orders', 'ACCESS EXCLUSIVE'],
    ['of a parameter', 'alter table orders set (fillfactor = 80)', 'orders', 'SHARE UPDATE EXCLUSIVE'],
  ])('%s', async (_, sql, table, mode) => {
    await runSql(
      service,
      `create view recent as select 1 as id;
       create table days (day int) partition by range (day); create table days_1 partition of days for values from (0) to (9);
       create function change(name text) returns void language plpgsql as
         $$ begin execute format('alter table %I add column paid boolean', name); end $$`,
    )
    const { rehearsal } = await rehearseSql(service, sql, { transaction: false })
    expect(rehearsal.problem).toBeUndefined()
    expect(rehearsal.statements).toMatchObject([{ locks: [{ table, mode }] }])
  })
})
