/** Compares the answers of a server with and without the tap. */
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { thoroughness } from '../../../support/thoroughness.ts'
import {
  bind,
  close,
  copyData,
  copyDone,
  copyFail,
  describeMessage,
  execute,
  executeSome,
  flush,
  parse,
  RawClient,
  simple,
  sync,
} from './support/raw-client.ts'
import { openTapDatabase, type TapDatabase, Witness } from './support/tap-database.ts'

let house: TapDatabase
let ways: pg.ClientConfig[]
/** A session of each way, all answers of which are read. */
let idle: RawClient[] = []
beforeAll(async () => {
  house = await openTapDatabase()
  await house.ask('CREATE DATABASE straight')
  await house.ask('CREATE DATABASE watched')
  const tap = await house.open(new Witness())
  ways = [house.direct('straight'), house.through(tap, 'watched')]
})
afterAll(async () => {
  for (const client of idle) client.close()
  await house.stop()
})

const setUp = [
  'DISCARD ALL',
  ...['SET client_min_messages = warning', 'DROP SCHEMA IF EXISTS shop CASCADE'],
  ...['SET client_min_messages = notice', 'CREATE SCHEMA shop', 'SET search_path = shop'],
  'CREATE TABLE parents (id int PRIMARY KEY)',
  `CREATE TABLE orders (id int PRIMARY KEY, parent int REFERENCES parents DEFERRABLE INITIALLY DEFERRED, note text)`,
  "INSERT INTO parents VALUES (1); INSERT INTO orders SELECT n, 1, 'é' FROM generate_series(1, 5) AS n",
  'CREATE PROCEDURE steps() LANGUAGE plpgsql AS $$ BEGIN INSERT INTO parents VALUES (77); COMMIT; END $$',
].map(simple)

const state = `SELECT 'orders', count(*), sum(id), max(note) FROM shop.orders
  UNION ALL SELECT 'parents', count(*), sum(id), current_setting('default_transaction_read_only') FROM shop.parents ORDER BY 1`

/** Messages that are sent at once, and the number of ReadyForQuery messages that answer them. */
interface Part {
  messages: Buffer[]
  ready: number
}

const isAnswered = (message: Buffer) => ['Q', 'S'].includes(message.toString('latin1', 0, 1))

const part = (...messages: Buffer[]): Part => ({ messages, ready: messages.filter(isAnswered).length })

/** A statement by the extended protocol. */
const extended = (sql: string) => [parse('', sql), bind('', ''), execute('')]

/** Compares the answers to the same messages with and without the tap. */
async function compare(parts: Part[]): Promise<void> {
  const clients = idle.length > 0 ? idle : await Promise.all(ways.map(way => RawClient.open(way)))
  idle = []
  const [straight, watched] = await Promise.all(
    clients.map(async client => {
      client.send(...setUp)
      await client.read({ ready: setUp.length })
      const all: string[] = []
      for (const { messages, ready } of parts) {
        client.send(...messages)
        all.push(...(await client.read({ ready })))
      }
      client.send(simple('ROLLBACK'), simple(state))
      all.push(...(await client.read({ ready: 2 })))
      return all
    }),
  )
  expect(watched).toEqual(straight)
  idle = clients
}

/** Statements that a migration may send. */
const statements = [
  ...['BEGIN', 'start transaction isolation level repeatable read', 'COMMIT', 'ROLLBACK', 'END', 'abort'],
  ...['SAVEPOINT a', 'ROLLBACK TO a', 'RELEASE a', 'COMMIT AND CHAIN', 'ROLLBACK AND CHAIN'],
  ...['BEGIN READ ONLY', 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'SET LOCAL work_mem = 1000'],
  ...['SELECT id, note FROM orders ORDER BY id', 'SELECT 1 WHERE false', "SELECT '😀', lenght('a')", ''],
  ...['ALTER TABLE orders ADD extra int', 'ALTER TABLE orders DROP extra', 'CREATE TABLE made (n int)'],
  ...[
    "INSERT INTO orders VALUES (7, 1, 'x')",
    'INSERT INTO orders VALUES (8, 99, NULL)',
    'DELETE FROM orders WHERE id = 5',
  ],
  ...['SELECT 1/(id - 3) FROM orders ORDER BY id', 'nonsense'],
  ...['-- nothing', "INSERT INTO orders VALUES (1, 1, '')"],
  ...['VACUUM orders', 'CREATE INDEX CONCURRENTLY ON orders (note)', 'REINDEX SCHEMA shop', 'LOCK orders'],
  ...[
    'CALL steps()',
    "DO $$ BEGIN RAISE NOTICE 'careful'; COMMIT; END $$",
    'DO $$ BEGIN CALL steps(); END $$',
  ],
  ...[
    "DO $$ BEGIN RAISE NOTICE 'hello'; END $$",
    'DROP TABLE IF EXISTS absent',
    'SET CONSTRAINTS ALL IMMEDIATE',
  ],
  ...['DECLARE c CURSOR FOR SELECT 1', 'FETCH c', 'PREPARE p AS SELECT 5', 'EXECUTE p', 'DEALLOCATE ALL'],
  ...['SHOW work_mem', "SET TimeZone = 'UTC'"],
  ...['DISCARD ALL; SET search_path = shop', 'SET search_path = shop'],
  ...['LISTEN a', "NOTIFY a, 'b'", 'SET default_transaction_read_only = on'],
  ...['SET default_transaction_read_only = off'],
  ...['COPY (SELECT 1) TO STDOUT', 'TRUNCATE orders'],
  ...['CREATE TEMP TABLE t (n int) ON COMMIT DROP', '(SELECT 2)'],
]

describe('the client gets the same answers as without the tap', () => {
  test.each<[what: string, ...parts: Part[]]>([
    ...statements.map((sql): [string, ...Part[]] => [
      `by either protocol: ${sql}`,
      part(simple(sql)),
      part(parse('', sql), bind('', ''), describeMessage('P', ''), execute(''), sync),
      part(simple('BEGIN')),
      part(parse('s', sql), describeMessage('S', 's'), sync, bind('p', 's'), execute('p'), sync),
      part(simple(sql)),
    ]),
    [
      'rows of COPY from the client',
      part(simple('COPY parents FROM STDIN'), ...copyData('2\n', '3\n'), copyDone),
      part(simple('COPY parents FROM STDIN; SELECT 1'), ...copyData('x\n'), copyDone),
      part(simple('INSERT INTO parents VALUES (9); COPY parents FROM STDIN'), copyFail),
      part(simple('BEGIN; COPY parents FROM STDIN; COMMIT'), ...copyData('4\n'), copyDone),
    ],
    [
      'rows of COPY by the extended protocol',
      // The server ignores the first Sync.
      {
        messages: [...extended('COPY parents FROM STDIN'), sync, ...copyData('5\n'), copyDone, sync],
        ready: 1,
      },
      part(...extended('COPY absent FROM STDIN'), sync),
    ],
    [
      'a portal that is read in portions',
      part(simple('BEGIN')),
      part(parse('', 'SELECT id FROM orders'), bind('', ''), executeSome('', 2), sync),
      part(executeSome('', 2), sync),
      part(executeSome('', 2), close('portal', ''), sync),
    ],
    [
      'a prepared statement without a name, between turns',
      part(parse('', 'DELETE FROM orders WHERE id = 1'), sync),
      part(bind('', ''), execute(''), sync),
      part(bind('', ''), execute(''), sync),
      part(simple('SELECT 1'), bind('', ''), execute(''), sync),
    ],
    [
      'a statement that cannot be in a transaction, as the first of several',
      part(
        ...[close('statement', 'x'), parse('x', 'CREATE INDEX CONCURRENTLY ON orders (note)'), bind('', 'x')],
        ...[describeMessage('P', ''), execute(''), ...extended('SELECT 3'), sync],
      ),
    ],
    [
      'a transaction that begins in the middle of a pipeline',
      part(...extended('SELECT 3'), ...extended('BEGIN'), ...extended('LOCK orders'), sync),
      part(simple('COMMIT')),
    ],
  ])('%s', async (_, ...parts) => {
    await compare(parts)
  })

  const sql = fc.constantFrom(...statements.filter(one => one !== 'DISCARD ALL; SET search_path = shop'))
  const anyExtended = sql.chain(text =>
    fc.constantFrom(
      extended(text),
      [...extended(text), close('portal', '')],
      [parse('', text), describeMessage('S', ''), bind('', ''), describeMessage('P', ''), execute('')],
      [close('statement', 's'), parse('s', text), bind('', 's'), executeSome('', 1)],
      [bind('', ''), execute('')],
    ),
  )
  const turn = fc.oneof(
    sql.map(text => [simple(text)]),
    sql.map(text => [parse('', text), flush, bind('', ''), flush, execute(''), sync]),
    fc.array(sql, { minLength: 2, maxLength: 4 }).map(texts => [simple(texts.join(' ; '))]),
    fc.array(anyExtended, { minLength: 1, maxLength: 3 }).map(several => [...several.flat(), sync]),
  )

  it('to random messages, sent at once or one by one', async () => {
    const anyPart = fc.array(turn, { minLength: 1, maxLength: 3 }).map(turns => part(...turns.flat()))
    await fc.assert(fc.asyncProperty(fc.array(anyPart, { minLength: 1, maxLength: 5 }), compare), {
      // The default seed repeats the same scripts.
      ...{ numRuns: 12 * thoroughness, seed: Number(process.env.TAP_SEED ?? 1) },
    })
  }, 120_000)
})
