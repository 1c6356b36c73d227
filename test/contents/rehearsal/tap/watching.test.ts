/** Tests the reports of the tap, and the lock times measured from them. */
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { createRealSeam } from '#client/network/real-seam'
import { rehearse } from '#contents/rehearsal/rehearse'
import type { OpenTap } from '#contents/rehearsal/tap/open-tap'
import type { Watch } from '#contents/rehearsal/tap/watch'
import { withSession } from '#postgres/session'
import { measureWaits } from '../support/waits.ts'
import {
  bind,
  close,
  copyData,
  copyDone,
  execute,
  parse,
  RawClient,
  simple,
  sync,
} from './support/raw-client.ts'
import { openTapDatabase, type TapDatabase, Witness } from './support/tap-database.ts'

let house: TapDatabase
let tap: OpenTap
let witness: Witness
let client: pg.Client
beforeAll(async () => {
  house = await openTapDatabase()
  witness = new Witness(house)
  tap = await house.open(witness)
  await house.ask('CREATE PROCEDURE twice() LANGUAGE plpgsql AS $$ BEGIN COMMIT; END $$')
})
afterAll(() => house.stop())

describe('the tap reports', () => {
  beforeEach(async () => {
    await house.ask('DROP TABLE IF EXISTS orders; CREATE TABLE orders (id int PRIMARY KEY)')
    client = new pg.Client(house.through(tap))
    await client.connect()
    witness.take()
    return () => client.end()
  })

  test.each<[what: string, sql: string, seen: string[]]>([
    ['a change', 'ALTER TABLE orders ADD note text', ['ALTER TABLE orders ADD note text → ALTER TABLE', 'I']],
    [
      'several in one message',
      "ALTER TABLE orders ADD note text DEFAULT ';'; /* 😀 */ LOCK orders IN SHARE MODE",
      [
        "ALTER TABLE orders ADD note text DEFAULT ';' → ALTER TABLE",
        'LOCK orders IN SHARE MODE → LOCK TABLE',
        'I',
      ],
    ],
    [
      'a transaction in one message',
      'BEGIN; LOCK orders IN SHARE MODE; SET LOCAL lock_timeout = 0; COMMIT',
      [
        ...['BEGIN → BEGIN', 'LOCK orders IN SHARE MODE → LOCK TABLE'],
        ...['SET LOCAL lock_timeout = 0 → SET', 'COMMIT → COMMIT', 'I'],
      ],
    ],
    ['a procedure that commits', 'CALL twice()', ['CALL twice() → CALL', 'I']],
    [
      'a failure',
      'INSERT INTO orders VALUES (1), (1)',
      ['INSERT INTO orders VALUES (1), (1) → failed with 23505', 'I'],
    ],
    ['a failure before its rest', 'SELECT 1/0; SELECT 2', ['SELECT 1/0 → failed with 22012', 'I']],
    ['nothing', '', []],
  ])('%s', async (_, sql, seen) => {
    await client.query(sql).catch(() => {})
    // The driver reports a failure before the server is ready again.
    await client.query('SHOW port')
    expect(witness.take()).toEqual([...seen, 'SHOW port → SHOW', 'I'])
  })

  it('a transaction of several messages, by either protocol, until it is rolled back', async () => {
    await client.query('BEGIN')
    await client.query({ text: 'INSERT INTO orders VALUES ($1)', values: [1] })
    await client.query('SAVEPOINT s')
    await client.query('LOCK orders IN SHARE MODE')
    await client.query('ROLLBACK TO s')
    await client.query({ text: 'DELETE FROM orders', name: 'named' })
    await client.query('ROLLBACK')
    const writing = '[orders RowExclusiveLock]'
    expect(witness.take()).toEqual([
      ...['BEGIN → BEGIN', 'T []'],
      ...['INSERT INTO orders VALUES ($1) → INSERT 0 1', `T ${writing}`],
      ...['SAVEPOINT s → SAVEPOINT', `T ${writing}`],
      ...['LOCK orders IN SHARE MODE → LOCK TABLE', 'T [orders RowExclusiveLock, orders ShareLock]'],
      ...['ROLLBACK TO s → ROLLBACK', `T ${writing}`],
      ...['DELETE FROM orders → DELETE 1', `T ${writing}`],
      ...[`ending ${writing}`, 'ROLLBACK → ROLLBACK', 'I'],
    ])
  })

  it('a prepared statement, and a failure before it runs', async () => {
    await client.query({ name: 'named', text: 'SELECT $1::int', values: [1] })
    await client.query({ name: 'named', text: 'SELECT $1::int', values: [2] })
    await client.query({ text: 'SELECT absent, $1::int', values: [1] }).catch(() => {})
    await client.query('SHOW port')
    const lines = witness.take().filter(line => line !== 'I')
    expect(lines).toEqual([
      ...['SELECT $1::int → SELECT 1', 'SELECT $1::int → SELECT 1'],
      ...['SELECT absent, $1::int → failed with 42703', 'SHOW port → SHOW'],
    ])
  })
})

it('reports each statement of a pipeline, and of COPY by the extended protocol', async () => {
  await house.ask('CREATE TABLE pipes (id int)')
  const watch = new Witness(house)
  const sender = await RawClient.open(house.through(await house.open(watch)))
  const one = (sql: string) => [parse('', sql), bind('', ''), execute(''), close('portal', '')]
  sender.send(...['BEGIN', 'LOCK pipes IN SHARE MODE', 'SELECT 1'].flatMap(one), sync)
  sender.send(...one('COPY pipes FROM STDIN').slice(0, 3), sync, ...copyData('5\n'), copyDone, sync)
  sender.send(...one('COMMIT'), sync)
  await sender.read({ ready: 3 })
  sender.close()
  expect(watch.take()).toEqual([
    ...['BEGIN → BEGIN', 'LOCK pipes IN SHARE MODE → LOCK TABLE', 'SELECT 1 → SELECT 1'],
    expect.stringContaining('pipes ShareLock'),
    ...['COPY pipes FROM STDIN → COPY 1', expect.stringMatching(/^T /), 'COMMIT → COMMIT', 'I'],
  ])
})

/** Rehearses messages of a client while a second client repeats a query of a table. */
async function rehearseBeside(table: string, turns: Buffer[][]) {
  const other = await house.connect(house.direct())
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
  const { result, longest } = await measureWaits(
    () => other.query(`SELECT count(*) FROM ${table}`),
    () =>
      withSession(house.target, options, session =>
        rehearse(session, createRealSeam(), { limits, files: [], run }),
      ),
  )
  return { longest, rehearsal: result.rehearsal }
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
    ['in its own message', alter => [[simple('BEGIN')], extended(alter), [simple(long)], extended('COMMIT')]],
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
    expect(Math.max(held, longest)).toBeGreaterThan(550)
    // A late reader on a busy machine waits for a shorter time.
    expect(longest).toBeGreaterThan(200)
    // A busy machine delays both. With a statement too much or too few, they differ by 600 ms at least.
    expect(Math.abs(held - longest), `held ${held}, waited ${longest}`).toBeLessThan(500)
    // The server answers the statements of one message at once.
    if (turns('').length === 1) return
    expect(altering?.duration).toBeLessThan(550)
    const sleeping = statements.find(({ text }) => text.startsWith('SELECT pg_sleep'))
    expect(sleeping?.duration).toBeGreaterThan(550)
  })
})
