/** Tests the lifetime of connections through the tap: cancellation, broken connections, protocol versions and TLS. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { OpenTap } from '#contents/rehearsal/tap/open-tap'
import { runAsSuperuser } from '../../../support/fork.ts'
import { LocalServers } from '../../../support/local-servers.ts'
import { shareServer } from '../../../support/shared-server.ts'
import { copyData, RawClient, simple } from './support/raw-client.ts'
import { openTapDatabase, type TapDatabase, Witness } from './support/tap-database.ts'

/** Each poll opens a session, which takes seconds on a busy machine. */
const patience = { timeout: 60_000 }
const servers = new LocalServers()
let house: TapDatabase
beforeAll(async () => {
  house = await openTapDatabase()
})
afterAll(async () => {
  await servers.close()
  await house.stop()
})

/** A tap with the reports to its watch, and clients of it. */
async function openWatched(target: Parameters<TapDatabase['open']>[1] = {}) {
  const witness = new Witness(house)
  const tap = await house.open(witness, target)
  return { witness, tap, join: () => house.connect(house.through(tap)) }
}

/** Waits until `count` clients run a statement that contains `part`. */
const untilRunning = (part: string, count = 1) => {
  const running = `SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%${part}'`
  return expect
    .poll(() => house.ask(`${running} AND pid <> pg_backend_pid()`), patience)
    .toEqual([[`${count}`]])
}

const numbers = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4)
  return bytes
}

/** Sends a cancel request through the tap. */
async function cancel({ port }: OpenTap, process: number, key: Buffer): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.end(Buffer.concat([numbers(12 + key.length, 80877102, process), key]))
  await once(socket.resume(), 'close')
}

const secretOf = (client: pg.Client) => client as unknown as { processID: number; secretKey: number }

it('cancels the statement of the requesting client only', async () => {
  const { tap, join } = await openWatched()
  const clients = await Promise.all([join(), join()])
  const ended: number[] = []
  const running = clients.map(async (client, index) => {
    const code = await client.query('SELECT pg_sleep(600) -- long').catch(error => error.code)
    ended.push(index)
    return code
  })
  await untilRunning('-- long', 2)
  for (const index of [1, 0] as const) {
    const { processID, secretKey } = secretOf(clients[index])
    await cancel(tap, processID, numbers(secretKey))
    expect(await running[index]).toBe('57014')
  }
  expect(ended).toEqual([1, 0])
  expect((await clients[0].query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})

it('ends running statements and their locks when the tap closes', async () => {
  const { tap, join } = await openWatched()
  await house.ask('CREATE TABLE held (id int)')
  const [gone, running, idle] = await Promise.all([join(), join(), join()])
  for (const client of [gone, running, idle])
    await client.query('BEGIN; LOCK TABLE held IN ROW EXCLUSIVE MODE')
  for (const client of [gone, running]) client.query('SELECT pg_sleep(600) -- held').catch(() => {})
  await untilRunning('-- held', 2)
  ;(gone.connection.stream as Socket).destroy()
  await tap.close()
  await expect
    .poll(() => house.ask("SELECT count(*) FROM pg_locks WHERE relation = 'held'::regclass"), patience)
    .toEqual([['0']])
})

describe('a connection that ends in the middle', () => {
  const problem = 'problem: a connection ended before its statement was answered'

  it.each([
    ['by the server', '57P01'],
    ['on the way to the server', undefined],
  ])('%s is an error of the client, and not measured', async (where, code) => {
    const sockets: Socket[] = []
    const relay = createServer(client => {
      const upstream = connect(house.target.port, house.target.host)
      sockets.push(upstream)
      upstream.on('error', () => {}).on('close', () => client.destroy())
      client.pipe(upstream).pipe(client)
    })
    const { witness, join } = await openWatched({ host: '127.0.0.1', port: await servers.listen(relay) })
    const client = await join()
    await client.query('BEGIN')
    const running = client.query(`SELECT pg_sleep(600) -- ${where}`).catch(error => error.code)
    await untilRunning(`-- ${where}`)
    const { processID } = secretOf(client)
    if (code === '57P01') await house.ask(`SELECT pg_terminate_backend(${processID})`)
    else for (const socket of sockets) socket.destroy()
    expect(await running).toBe(code)
    await expect.poll(() => witness.lines, patience).toContain('closed')
    const failed = code === undefined ? [] : [expect.stringMatching(/failed with 57P01$/)]
    expect(witness.take()).toEqual([...['BEGIN → BEGIN', 'T []'], ...failed, code ? 'I' : problem, 'closed'])
  })

  it('by the client lets the statement complete', async () => {
    const { witness, join } = await openWatched()
    await house.ask('CREATE TABLE left_behind (id int); INSERT INTO left_behind VALUES (1)')
    const client = await join()
    // The statement waits for this lock until its client is gone.
    const holder = await house.connect(house.direct())
    await holder.query('BEGIN; LOCK TABLE left_behind IN ACCESS SHARE MODE')
    client.query('ALTER TABLE left_behind ADD note text -- left').catch(() => {})
    await untilRunning('-- left')
    ;(client.connection.stream as Socket).destroy()
    await holder.query('COMMIT')
    await expect.poll(() => witness.lines, patience).toContain('closed')
    expect(witness.take()).toEqual([expect.stringContaining('→ ALTER TABLE'), 'I', 'closed'])
  })

  it('by the client, during COPY, is not measured', async () => {
    const { witness, tap } = await openWatched()
    await house.ask('CREATE TABLE half_filled (id int)')
    const client = await RawClient.open(house.through(tap))
    client.send(simple('COPY half_filled FROM STDIN'), ...copyData('1\n'))
    await client.read({ messages: 1 })
    client.close()
    await expect.poll(() => witness.lines, patience).toContain('closed')
    expect(witness.take()).toContainEqual(expect.stringMatching(/^COPY half_filled FROM STDIN → failed with/))
    expect(await house.ask('SELECT count(*) FROM half_filled')).toEqual([['0']])
  })
})

/** The first bytes that a client gets for a StartupMessage. */
async function startWith({ port }: OpenTap, version: number, parameters: string[]): Promise<string> {
  const body = Buffer.from(`${parameters.join('\0')}\0\0`)
  const socket = connect(port, '127.0.0.1')
  socket.write(Buffer.concat([numbers(8 + body.length, version), body]))
  let answer = ''
  for await (const bytes of socket) {
    answer += bytes.toString('latin1')
    if (answer.includes('SCRAM') || answer.startsWith('E')) break
  }
  return answer
}

describe('a version of the protocol', () => {
  it('that the server does not know is negotiated down', async () => {
    const { tap } = await openWatched()
    const { user, database } = house.target
    const named = ['user', user, 'database', database]
    const answer = await startWith(tap, 0x3270f, [...named, '_pq_.unknown', 'on'])
    expect(answer).toMatch(/^v\0\0\0.*_pq_\.unknown\0R\0\0\0.*SCRAM-SHA-256\0/s)
    // No supported server speaks version 2.
    expect(await startWith(tap, 0x20000, named)).toContain('unsupported frontend protocol')
  })

  it('3.2 works, with its long keys for cancelling', async ({ skip }) => {
    const [[version = ''] = []] = await house.ask('SHOW server_version_num')
    skip(Number(version) < 180_000, 'the server is older than 3.2')
    const { tap, witness } = await openWatched()
    let received = Buffer.alloc(0)
    // The driver requests 3.0.
    const relay = createServer(client => {
      const upstream = connect(tap.port, '127.0.0.1')
      client.once('data', first => {
        first.writeUInt32BE(0x30002, 4)
        upstream.write(first)
        client.pipe(upstream).pipe(client)
      })
      upstream.on('data', bytes => {
        received = Buffer.concat([received, bytes])
      })
    })
    const port = await servers.listen(relay)
    const client = await house.connect({ ...house.through(tap), port })
    const running = client.query('SELECT pg_sleep(600) -- long key').catch(error => error.code)
    await untilRunning('-- long key')
    const at = received.indexOf(Buffer.from('K\0\0\0\x28'))
    expect(at).toBeGreaterThan(0)
    await cancel(tap, secretOf(client).processID, received.subarray(at + 9, at + 41))
    expect(await running).toBe('57014')
    await expect.poll(() => witness.lines, patience).toHaveLength(2)
    expect(witness.take()).toEqual([expect.stringMatching(/failed with 57014$/), 'I'])
  })
})

it('a connection for replication is measured like any other', async () => {
  const server = await shareServer()
  await runAsSuperuser(server, "CREATE ROLE replicator LOGIN REPLICATION PASSWORD 'of-the-replicator'")
  const { tap, witness } = await openWatched()
  const login = { user: 'replicator', password: 'of-the-replicator', replication: 'database' }
  const client = new pg.Client({ ...house.through(tap), ...login } as pg.ClientConfig)
  await client.connect()
  expect((await client.query('IDENTIFY_SYSTEM')).rows).toHaveLength(1)
  expect(witness.take()).toEqual(['IDENTIFY_SYSTEM → IDENTIFY_SYSTEM', 'I'])
  await client.end()
  await runAsSuperuser(server, 'DROP ROLE replicator')
})

describe('TLS', () => {
  it('to the server verifies its certificate if sslmode requires it', async () => {
    const { connection } = await house.connect(house.direct())
    const pem = (connection.stream as TLSSocket).getPeerX509Certificate()?.toString() ?? ''
    const usual = getCACertificates('default')
    const { join, witness } = await openWatched({ sslmode: 'verify-full' })
    await expect(join()).rejects.toThrow('the database cannot be reached: self-signed certificate')
    expect(witness.take().join()).toContain('problem: the database cannot be reached: self-signed')
    try {
      setDefaultCACertificates([...usual, pem])
      const secure = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
      expect((await (await join()).query(secure)).rows).toEqual([{ ssl: true }])
    } finally {
      setDefaultCACertificates(usual)
    }
  })

  it('to the tap is refused, so a client that requires it fails', async () => {
    const { tap } = await openWatched()
    const client = new pg.Client({ ...house.through(tap), ssl: { rejectUnauthorized: false } })
    await expect(client.connect()).rejects.toThrow('does not support SSL')
  })
})

test('records transactions and locks separately for each connection', async () => {
  const { witness, join } = await openWatched()
  await house.ask('CREATE TABLE ours (id int); CREATE TABLE theirs (id int)')
  const [one, other] = await Promise.all([join(), join()])
  await one.query('BEGIN')
  await one.query('LOCK ours IN SHARE MODE')
  await other.query('BEGIN; LOCK theirs')
  await one.query('ROLLBACK')
  await other.query('COMMIT')
  const locks = witness.take().filter(line => !line.includes('→'))
  const [ours, theirs] = ['[ours ShareLock]', '[theirs AccessExclusiveLock]']
  expect(locks).toEqual(['T []', `T ${ours}`, `T ${theirs}`, `ending ${ours}`, 'I', `ending ${theirs}`, 'I'])
})
