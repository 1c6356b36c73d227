/** Tests the emulator with the vendor's command line. */
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '#api/records'
import { openClusters } from '../../emulator/clusters/open-clusters.ts'
import type { Emulator } from '../../emulator/http/server.ts'
import { createRoot } from '../support/database-folder.ts'
import { eventually } from './support/eventually.ts'
import { callOverHttp } from './support/http-caller.ts'
import { OfficialClient } from './support/official-client.ts'
import { start, stopAll } from './support/running.ts'

/** The vendor's command line, as its release builds it. CONTRIBUTORS' checks install it; elsewhere it may be missing. */
const binary = process.env.TIGER ?? ''

const keys = { publicKey: 'official', secretKey: 'official-client-secret' }

const publicPath = '/public/api/v1'

let root: string
let emulator: Emulator
let tiger: OfficialClient

/** A service for one test: its id, and the URL with its password that the client prints. */
async function createService(name: string) {
  const service: Service & { password: string; connection_string: string } = await tiger.json(
    ...['service', 'create', '--name', name, '--no-set-default', '--with-password'],
  )
  return { id: service.service_id, url: service.connection_string, service }
}

async function query(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: `${url}&uselibpqcompat=true` })
  client.on('error', () => {})
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const sql of statements) rows = (await client.query(sql)).rows
    return rows
  } finally {
    await client.end()
  }
}

const read = (id: string): Promise<Service> => tiger.json('service', 'get', id)

const becomes = (id: string, status: string) =>
  eventually(async () => expect((await read(id)).status).toBe(status))

describe.skipIf(binary === '')(
  'the official client (skipped if TIGER does not name its binary)',
  { concurrent: true, timeout: 120_000 },
  () => {
    beforeAll(async () => {
      root = await createRoot()
      emulator = await start({
        ...keys,
        ...{ readyAfter: 200, changeAfter: 200, deleteAfter: 200 },
        dataPlane: await openClusters({ root, snapshotAfter: 50 }),
      })
      tiger = await OfficialClient.open(binary, emulator)
      await tiger.done('auth', 'login', '--public-key', keys.publicKey, '--secret-key', keys.secretKey)
    }, 120_000)

    afterAll(async () => {
      await tiger?.close()
      await stopAll()
      if (root) await rm(root, { recursive: true, force: true })
    })

    it('logs in, and knows the owner of its key', async () => {
      const { api_key } = (await tiger.json('auth', 'status')) as { api_key: unknown }
      expect(api_key).toMatchObject({ public_key: 'official', project: { id: emulator.store.project.id } })
    })

    it('creates a service that it can connect to, and finds it again', async () => {
      const { id, service } = await createService('created')
      expect(service).toMatchObject({ name: 'created', status: 'READY', resources: [{ id }] })
      expect((await read(id)).endpoint).toEqual(service.endpoint)
      const all: Service[] = await tiger.json('service', 'list')
      expect(all.map(({ service_id }) => service_id)).toContain(id)

      expect(await tiger.done('db', 'test-connection', id)).toContain('Connection successful')
      const url = (await tiger.done('db', 'connection-string', id, '--with-password')).trim()
      await query(url, 'CREATE TABLE orders (id int PRIMARY KEY)')
      expect(await tiger.done('db', 'schema', id)).toMatch(/TABLE: orders\s+id\s+INTEGER/)
    })

    it('forks by all three strategies, each with the rows of its moment', async () => {
      const { id, url } = await createService('parent')
      await query(url, 'CREATE TABLE orders (id int)', 'INSERT INTO orders VALUES (1)')
      const forkBy = async (parent: string, ...how: string[]) => {
        const fork: { service_id: string; connection_string: string; forked_from: object } = await tiger.json(
          ...['service', 'fork', parent, '--no-set-default', '--with-password', ...how],
        )
        expect(fork.forked_from).toMatchObject({ service_id: parent })
        const rows = await query(fork.connection_string, 'SELECT count(*)::int AS orders FROM orders')
        return { id: fork.service_id, rows }
      }
      // The client prints whole seconds, so the test waits for a second on both sides.
      const [{ time }] = (await query(url, 'SELECT pg_sleep(1.1)', 'SELECT now() AS time')) as [
        { time: Date },
      ]
      await query(url, 'SELECT pg_sleep(1.1)', 'INSERT INTO orders VALUES (2)')
      const now = await forkBy(id, '--now')
      expect(now.rows).toEqual([{ orders: 2 }])
      const seconds = `${time.toISOString().slice(0, 19)}Z`
      expect((await forkBy(id, '--to-timestamp', seconds)).rows).toEqual([{ orders: 1 }])
      // A fork begins with the rows of its parent, so its first snapshot has them.
      expect((await forkBy(now.id, '--last-snapshot')).rows).toEqual([{ orders: 2 }])
    })

    it('stops, starts, resizes and deletes a service, and sees it renamed', async () => {
      const { id } = await createService('changed')
      await tiger.done('service', 'stop', id)
      await becomes(id, 'PAUSED')
      await tiger.done('service', 'start', id)
      await becomes(id, 'READY')
      await tiger.done('service', 'resize', id, '--cpu', '1000', '--memory', '4')
      const size = { cpu_millis: 1000, memory_gbs: 4 }
      await expect.poll(async () => (await read(id)).resources?.[0]?.spec).toMatchObject(size)
      await becomes(id, 'READY')
      await callOverHttp(emulator, 'rename-service', { service_id: id, name: 'renamed' })
      expect((await read(id)).name).toBe('renamed')
      await tiger.done('service', 'delete', id, '--confirm')
      expect(await tiger.run('service', 'get', id)).toMatchObject({
        stderr: expect.stringContaining('no service with that id exists'),
      })
    })

    it('sets a password, which is the one that counts', async () => {
      const { id, url } = await createService('locked')
      await tiger.done('service', 'update-password', id, '--new-password', 'another-password')
      await expect(query(url, 'SELECT 1')).rejects.toThrow('password authentication failed')
      expect(await tiger.done('db', 'test-connection', id)).toContain('Connection successful')
    })

    it('shows the log, also of one node', async () => {
      const { id, url } = await createService('logged')
      await expect(query(url, 'SELECT * FROM no_such_table')).rejects.toThrow('does not exist')
      expect(await tiger.done('service', 'logs', id)).toContain('relation "no_such_table" does not exist')
      expect(await tiger.done('service', 'logs', id, '--node', '0', '--tail', '1')).toContain('no_such_table')
    })

    it('creates a read-only role, and one with a statement timeout', async () => {
      const { id, url } = await createService('roles')
      await query(url, 'CREATE TABLE orders (id int)')
      const roleUrl = async (name: string, ...how: string[]) => {
        await tiger.done('db', 'create', 'role', id, '--name', name, '--password', 'a-password', ...how)
        await query(url, `GRANT ALL ON orders TO ${name}`)
        return url.replace(/\/\/[^@]+@/, `//${name}:a-password@`)
      }
      const reader = await roleUrl('reader', '--read-only', '--statement-timeout', '30s')
      expect(await query(reader, 'SELECT * FROM orders')).toEqual([])
      expect(await query(reader, 'SHOW statement_timeout')).toEqual([{ statement_timeout: '30s' }])
      await expect(query(reader, 'INSERT INTO orders VALUES (1)')).rejects.toThrow('read-only transaction')
      const writer = await roleUrl('writer')
      expect(await query(writer, 'INSERT INTO orders VALUES (1) RETURNING id')).toEqual([{ id: 1 }])
      const owner = await roleUrl('auditor', '--read-only', '--from', 'tsdbadmin')
      await expect(query(owner, 'DROP TABLE orders')).rejects.toThrow('read-only transaction')
    })

    it('opens read-only connections', async () => {
      const { id } = await createService('read-only')
      const url = await tiger.done('db', 'connection-string', id, '--read-only', '--with-password')
      expect(url).toContain('tsdb_admin.read_only_connection')
      await expect(query(url.trim(), 'CREATE TABLE orders (id int)')).rejects.toThrow('read-only transaction')
    })

    // This client sends the older field `name`, which the current API refuses (docs/internals/api.md, "Logs and metrics").
    it('lists metric series, and is refused with the field of today where it asks for one', async () => {
      const { id } = await createService('measured')
      const metric = 'timescale_cloud_database_num_connections'
      expect(await tiger.json('service', 'metrics', 'available-series', id)).toContain(metric)
      const [from = '', to = ''] = [-120_000, 60_000].map(by => new Date(Date.now() + by).toISOString())
      const asked = ['service', 'metrics', 'series', id, '--metric', metric, '--from', from, '--to', to]
      await expect(tiger.json(...asked)).rejects.toThrow('metric_name: expected')
    })

    it('lists, reads, forks and queries through its MCP server', async () => {
      const { id, url } = await createService('asked')
      await query(url, 'CREATE TABLE orders AS SELECT 7 AS id')
      await tiger.withTools(async call => {
        const { services } = (await call('service_list')) as { services: { id: string }[] }
        expect(services.map(service => service.id)).toContain(id)
        expect(await call('service_get', { service_id: id })).toMatchObject({
          service: { id, status: 'READY' },
        })
        const forked = { service_id: id, fork_strategy: 'NOW', name: 'answered', wait: true }
        const { service } = (await call('service_fork', forked)) as { service: { id: string } }
        const asked = { service_id: service.id, query: 'SELECT id FROM orders' }
        expect(await call('db_execute_query', asked)).toMatchObject({ result_sets: [{ rows: [[7]] }] })
      })
    })

    it('sent no request that was refused', { concurrent: false }, () => {
      const refused = emulator.requests.filter(({ status }) => [400, 405, 415].includes(status ?? 0))
      const others = refused.filter(({ operation }) => operation !== 'get-metric-series')
      expect(others.filter(({ path }) => path.startsWith(publicPath))).toEqual([])
    })
  },
)
