import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { createRealSeam } from '#client/network/real-seam'
import { bind, close, execute, parse, sync } from '#contents/rehearsal/proxy/messages'
import type { OpenProxy } from '#contents/rehearsal/proxy/open-proxy'
import type { Watch } from '#contents/rehearsal/proxy/watch'
import { rehearse } from '#contents/rehearsal/rehearse'
import { withSession } from '#postgres/session'
import { censusOfLocks, type House, openHouse, Witness } from './support/house.ts'
import { RawClient, simple } from './support/raw-client.ts'

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

describe('what a client runs is seen with the locks that it took', () => {
  beforeEach(async () => {
    await house.ask('DROP TABLE IF EXISTS orders; CREATE TABLE orders (id int PRIMARY KEY)')
    client = new pg.Client(house.through(proxy))
    await client.connect()
    witness.take()
    return () => client.end()
  })

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
})

describe('what a client sets for its own statements never keeps its locks from being read', () => {
  const sleeping = 'SELECT pg_sleep(0.1)'
  beforeAll(() => house.ask('CREATE TABLE one (); CREATE TABLE two (); CREATE TABLE three ()'))
  test.concurrent.each<[what: string, census: string, set: string, sql: string]>([
    ['statement_timeout', sleeping, "SET statement_timeout = '50ms'", 'ALTER TABLE one ADD note text'],
    [
      'statement_timeout, between two statements of a message',
      sleeping,
      "SET statement_timeout = '50ms'",
      'ALTER TABLE two ADD note text; LOCK two IN SHARE MODE',
    ],
    [
      'lock_timeout',
      'SELECT pg_advisory_xact_lock(1)',
      "SET lock_timeout = '1ms'",
      'ALTER TABLE three ADD note text',
    ],
    [
      'a DEALLOCATE that nobody sees',
      censusOfLocks,
      'DROP TABLE IF EXISTS absent',
      "DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$",
    ],
  ])('%s', async (_, census, set, sql) => {
    const watch = new Witness(census)
    const one = await house.connect(house.through(await house.open(watch)))
    const other = await house.connect(house.direct())
    await one.query(set)
    watch.take()
    await other.query(census.includes('advisory') ? 'SELECT pg_advisory_lock(1)' : '')
    const releasing = other.query('SELECT pg_sleep(0.2), pg_advisory_unlock_all()')
    await one.query(sql)
    const ran = watch.seen.flatMap(seen => ('ran' in seen ? [seen.census] : []))
    expect(ran).not.toContain(undefined)
    expect(watch.take().filter(line => line.startsWith('trouble'))).toEqual([])
    const settings = "current_setting('statement_timeout') AS one, current_setting('lock_timeout') AS two"
    const { rows } = await one.query(`SELECT ${settings}`)
    expect(Object.values(rows[0]).find(limit => limit !== '0')).toBe(/'(.*)'/.exec(set)?.[1])
    await releasing
  })
})

it('sees each statement of those that are sent at once', async () => {
  await house.ask('CREATE TABLE pipes (id int)')
  const watch = new Witness()
  const sender = await RawClient.open(house.through(await house.open(watch)))
  const one = (sql: string) => [parse('', sql), bind('', ''), execute(''), close('portal', '')]
  const all = [
    'LOCK pipes IN SHARE MODE',
    'COMMIT',
    'BEGIN',
    'LOCK pipes',
    'SET LOCAL x.y = 1',
    'SELECT 1',
    'ROLLBACK',
  ]
  sender.send(...one('BEGIN'), ...all.flatMap(one), sync)
  await sender.read({ ready: 1 })
  sender.close()
  expect(watch.take()).toMatchInlineSnapshot(`
    [
      "BEGIN → BEGIN, outside",
      "LOCK pipes IN SHARE MODE → LOCK TABLE [pipes ShareLock]",
      "COMMIT → COMMIT, outside",
      "commit",
      "BEGIN → BEGIN, outside",
      "LOCK pipes → LOCK TABLE [pipes AccessExclusiveLock]",
      "SET LOCAL x.y = 1 → SET, outside",
      "SELECT 1 → SELECT 1 [pipes AccessExclusiveLock]",
      "ROLLBACK → ROLLBACK, outside",
      "rollback",
    ]
  `)
})

/** Rehearses messages of a client, while another one goes on asking for a table, and gives how long he waited at most. */
async function rehearseBeside(table: string, turns: Buffer[][]) {
  const other = await house.connect(house.direct())
  let isOver = false
  let longest = 0
  const ask = async () => {
    while (!isOver) {
      const began = performance.now()
      await other.query(`SELECT count(*) FROM ${table}`)
      longest = Math.max(longest, performance.now() - began)
    }
  }
  const run = async (watch: Watch = witness) => {
    const sender = await RawClient.open(house.through(await house.open(watch)))
    for (const messages of turns) {
      sender.send(...messages)
      await sender.read({ ready: 1 })
    }
    sender.close()
  }
  const options = { timeout: 20_000, signal: new AbortController().signal, forJson: true }
  const limits = { maxWriteBlock: 2000, maxReadBlock: 500 }
  const asking = ask()
  const { rehearsal } = await withSession(house.target, options, session =>
    rehearse(session, createRealSeam(), { limits, files: [], run }),
  ).finally(() => {
    isOver = true
  })
  await asking
  return { longest, rehearsal }
}

describe('a lock is held as long as others wait for it, and a statement takes its own time', () => {
  const extended = (...several: string[]) => [
    ...several.flatMap(sql => [parse('', sql), bind('', ''), execute('')]),
    sync,
  ]
  const long = 'SELECT pg_sleep(0.6)'
  test.each<[what: string, turns: (alter: string) => Buffer[][]]>([
    ['in one message with its transaction', alter => [[simple(`BEGIN; ${alter}; ${long}; COMMIT`)]]],
    ['in one message, a transaction in itself', alter => [[simple(`${alter}; ${long}`)]]],
    [
      'in the second transaction of a message',
      alter => [[simple(`BEGIN; ${long}; COMMIT; BEGIN; ${alter}; ${long}; COMMIT`)]],
    ],
    ['sent at once with its transaction', alter => [extended('BEGIN', alter, long, 'COMMIT')]],
    ['sent at once, a transaction in itself', alter => [extended(alter, long)]],
    [
      'in a message of its own',
      alter => [[simple('BEGIN')], extended(alter), [simple(long)], extended('COMMIT')],
    ],
  ])('%s', async (what, turns) => {
    const table = what.replaceAll(/\W+/g, '_')
    await house.ask(`CREATE TABLE ${table} (id int)`)
    const alter = `ALTER TABLE ${table} ADD note text`
    const { rehearsal, longest } = await rehearseBeside(table, turns(alter))
    const { statements, problem } = rehearsal
    expect(problem).toBeUndefined()
    const altering = statements.find(({ text }) => text.startsWith('ALTER'))
    const [{ held = 0, mode = '' } = {}] = altering?.locks ?? []
    expect(mode).toBe('ACCESS EXCLUSIVE')
    expect(longest).toBeGreaterThan(550)
    // Both are this process's: a busy machine may keep it from asking, or answering, for a while.
    expect(Math.abs(held - longest), `held ${held}, waited ${longest}`).toBeLessThan(250)
    expect(altering?.duration).toBeLessThan(300)
    for (const { text, duration } of statements)
      if (text.startsWith('SELECT pg_sleep')) expect(duration).toBeGreaterThan(550)
  })
})
