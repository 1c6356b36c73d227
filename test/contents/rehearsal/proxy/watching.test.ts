import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import type { OpenProxy } from '../../../../src/contents/rehearsal/proxy/open-proxy.ts'
import { type House, openHouse, Witness } from './support/house.ts'

let house: House
let proxy: OpenProxy
const witness = new Witness()
let client: pg.Client
beforeAll(async () => {
  house = await openHouse()
  proxy = await house.open(witness)
  await house.ask('CREATE PROCEDURE twice() LANGUAGE plpgsql AS $$ BEGIN COMMIT; END $$')
})
afterAll(() => house.stop())

beforeEach(async () => {
  await house.ask('DROP TABLE IF EXISTS orders; CREATE TABLE orders (id int PRIMARY KEY)')
  client = new pg.Client(house.through(proxy))
  await client.connect()
  witness.take()
  return () => client.end()
})

describe('what a client runs is seen with the locks that it took', () => {
  test.each<[what: string, sql: string, seen: string[]]>([
    [
      'a statement outside a transaction',
      'ALTER TABLE orders ADD note text',
      ['ALTER TABLE orders ADD note text → ALTER TABLE [orders AccessExclusiveLock]', 'commit'],
    ],
    [
      'several in one message, each by itself',
      "ALTER TABLE orders ADD note text DEFAULT ';'; /* 😀 */ LOCK orders IN SHARE MODE",
      [
        "ALTER TABLE orders ADD note text DEFAULT ';' → ALTER TABLE [orders AccessExclusiveLock]",
        'LOCK orders IN SHARE MODE → LOCK TABLE [orders AccessExclusiveLock, orders ShareLock]',
        'commit',
      ],
    ],
    [
      'a transaction in one message',
      'BEGIN; LOCK orders IN SHARE MODE; SET LOCAL lock_timeout = 0; COMMIT',
      [
        'trouble: a message of several statements begins a transaction of its own',
        'BEGIN → BEGIN',
        'LOCK orders IN SHARE MODE → LOCK TABLE [orders ShareLock]',
        'SET LOCAL lock_timeout = 0 → SET',
        'COMMIT → COMMIT, outside',
        'commit',
      ],
    ],
    ['what needs to be outside one', 'VACUUM orders', ['VACUUM orders → VACUUM, outside']],
    [
      'what says itself that it needs to be outside one',
      'CREATE INDEX CONCURRENTLY ON orders (id)',
      ['CREATE INDEX CONCURRENTLY ON orders (id) → CREATE INDEX, outside'],
    ],
    ['a procedure that commits', 'CALL twice()', ['CALL twice() → CALL, outside']],
    [
      'a block that commits without saying so',
      "DO $$ BEGIN EXECUTE 'COM' || 'MIT'; END $$",
      ["DO $$ BEGIN EXECUTE 'COM' || 'MIT'; END $$ → failed with 0A000", 'rollback'],
    ],
    [
      'a failure',
      'INSERT INTO orders VALUES (1), (1)',
      ['INSERT INTO orders VALUES (1), (1) → failed with 23505', 'rollback'],
    ],
    ['nothing', '', [' → no tag, outside']],
  ])('%s', async (_, sql, seen) => {
    await client.query(sql).catch(() => {})
    // The driver tells of a failure before the server is ready again.
    await client.query('SHOW port')
    expect(witness.take()).toEqual([...seen, 'SHOW port → SHOW, outside'])
  })
})

it('sees a transaction of several messages, by either protocol, until it is rolled back', async () => {
  await client.query('BEGIN')
  await client.query({ text: 'INSERT INTO orders VALUES ($1)', values: [1] })
  await client.query('SAVEPOINT s')
  await client.query('LOCK orders IN SHARE MODE')
  await client.query('ROLLBACK TO s')
  await client.query({ text: 'DELETE FROM orders', name: 'named' })
  await client.query('ROLLBACK')
  expect(witness.take()).toMatchInlineSnapshot(`
    [
      "BEGIN → BEGIN",
      "INSERT INTO orders VALUES ($1) → INSERT 0 1 [orders RowExclusiveLock]",
      "SAVEPOINT s → SAVEPOINT",
      "LOCK orders IN SHARE MODE → LOCK TABLE [orders RowExclusiveLock, orders ShareLock]",
      "ROLLBACK TO s → ROLLBACK",
      "DELETE FROM orders → DELETE 1 [orders RowExclusiveLock]",
      "ROLLBACK → ROLLBACK, outside",
      "rollback",
    ]
  `)
})
