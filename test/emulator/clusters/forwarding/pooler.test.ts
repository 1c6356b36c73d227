/** Tests connection poolers. */
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { renderConfiguration, renderUsers } from '../../../../emulator/clusters/forwarding/pgbouncer.ts'
import { findPgbouncer } from '../../../../emulator/clusters/installation/binaries.ts'
import { openClusters } from '../../../../emulator/clusters/open-clusters.ts'
import type { Address } from '../../../../emulator/data-plane.ts'
import { createRoot, openRoot } from '../../../support/database-folder.ts'
import { ownPorts } from '../../../support/own-ports.ts'
import { runNode } from '../../../support/run-program.ts'
import { eventually } from '../../support/eventually.ts'
import { callOverHttp } from '../../support/http-caller.ts'
import { start, stopAll } from '../../support/running.ts'
import { findProcesses, knock, newId, query, useClusters, withClient } from '../support.ts'

const isInstalled = (await findPgbouncer(undefined)) !== undefined

test('paths and secrets with quotes stay unchanged', () => {
  const configuration = renderConfiguration({
    ...{ host: '127.0.0.1', port: 1, databasePort: 2, connections: 80 },
    ...{ socketFolder: `/it's "here"`, userFile: '/u', keyFile: '/k', certificateFile: '/c' },
  })
  expect(configuration).toContain(`* = host='/it''s "here"' port=2 auth_user=postgres\n`)
  expect(renderUsers('SCRAM$"x', 's')).toBe('"tsdbadmin" "SCRAM$""x"\n"postgres" "s"\n')
})

describe.runIf(isInstalled)('with PgBouncer installed, a pooler', async () => {
  // On a disk, where the number of a file that was removed is soon used again: PgBouncer takes it for the same file.
  const root = isInstalled ? await createRoot('/var/tmp') : ''
  const plane = useClusters({ snapshotAfter: 60_000, root })
  const id = newId()
  let database: Address
  let pooler: Address
  const readPid = 'SELECT pg_backend_pid() AS pid'
  beforeAll(async () => {
    database = await plane().createService(id, 'p')
    pooler = await plane().openForwarder(id, 'pooler')
  })

  test('shares one session of the database between clients, each for a transaction', async () => {
    expect(plane().poolers).toBe('PgBouncer')
    const pids = await withClient(pooler, 'p', one =>
      withClient(pooler, 'p', async two => {
        const first = [(await one.query(readPid)).rows, (await two.query(readPid)).rows]
        await one.query('BEGIN')
        const second = [(await one.query(readPid)).rows, (await two.query(readPid)).rows]
        await one.query('COMMIT')
        return [...first, ...second].map(rows => rows[0].pid)
      }),
    )
    expect(pids[1]).toBe(pids[0])
    expect(pids[3]).not.toBe(pids[2])
  })

  test('accepts a password, over TLS with the certificate of the service, and nothing else', async () => {
    const ssl = { ca: plane().certificate.pem, servername: 'localhost' }
    expect(await query(pooler, 'p', 'SELECT 1 AS one', { ssl })).toEqual([{ one: 1 }])
    await expect(query(pooler, 'p', 'SELECT', { ssl: false })).rejects.toThrow('SSL required')
    await expect(query(pooler, 'wrong', 'SELECT')).rejects.toThrow('authentication failed')
    for (const user of ['postgres', 'pg_monitor', 'nobody'])
      await expect(query(pooler, 'p', 'SELECT', { user })).rejects.toThrow(/no such user|authentication/)
    // A session that asks to be read-only must not get one that is not.
    const options = '-c tsdb_admin.read_only_connection=on'
    await expect(query(pooler, 'p', 'SELECT', { options })).rejects.toThrow('unsupported startup parameter')
  })

  test('has the read-only database pgbouncer', async () => {
    const admin = { database: 'pgbouncer' }
    await query(pooler, 'p', 'SELECT')
    const pools = await query<{ user: string; pool_mode: string }>(pooler, 'p', 'SHOW POOLS', admin)
    expect(pools.find(({ user }) => user === 'tsdbadmin')).toMatchObject({ pool_mode: 'transaction' })
    await expect(query(pooler, 'p', 'SHUTDOWN', admin)).rejects.toThrow('admin access needed')
  })

  test('accepts every role by its password, set by any role', async () => {
    await query(database, 'p', "CREATE ROLE app LOGIN PASSWORD 'a'")
    const user = { user: 'app' }
    await query(pooler, 'a', 'SELECT', user)
    await query(database, 'p', "ALTER ROLE app PASSWORD 'b'")
    await query(pooler, 'b', 'SELECT', user)
    await expect(query(pooler, 'a', 'SELECT', user)).rejects.toThrow('authentication failed')

    await plane().setPassword(id, `it's "q"`)
    await query(pooler, `it's "q"`, 'SELECT')
    for (const next of ['p1', 'p2', `it's "q"`]) {
      await plane().setPassword(id, next)
      await query(pooler, next, 'SELECT')
    }
    await query(database, `it's "q"`, "ALTER ROLE tsdbadmin PASSWORD 'p'")
    await eventually(() => query(pooler, 'p', 'SELECT'))
    await expect(query(pooler, `it's "q"`, 'SELECT')).rejects.toThrow('authentication failed')
  })

  test('exists while the service does, wherever that runs', async () => {
    await plane().stopService(id)
    expect(await knock(pooler)).toBe('refused')
    {
      await using squatter = createServer().listen(database)
      await once(squatter, 'listening')
      database = await plane().startService(id)
      await query(pooler, 'p', 'CREATE TABLE moved ()')
    }
    await plane().resizeService(id, { cpuMillis: 2000, memoryGbs: 8 })
    await eventually(() => query(pooler, 'p', 'SELECT FROM moved'))
    const settings = await query<{ key: string; value: string }>(pooler, 'p', 'SHOW CONFIG', {
      database: 'pgbouncer',
    })
    expect(settings.find(({ key }) => key === 'default_pool_size')?.value).toBe('180')
  })

  test('is restarted when it dies, and moves if another program has taken its port', async () => {
    const moved = new Promise<Address>(resolve =>
      plane().watch(incident => {
        if (incident.kind === 'found' && incident.purpose === 'pooler') resolve(incident.address)
      }),
    )
    const [line = ''] = (await findProcesses(plane().folder)).filter(text => text.includes('pgbouncer'))
    process.kill(Number.parseInt(line, 10), 'SIGKILL')
    await eventually(() => query(pooler, 'p', 'SELECT'))

    await plane().stopService(id)
    await using squatter = createServer().listen(pooler)
    await once(squatter, 'listening')
    await plane().startService(id)
    const before = pooler
    pooler = await moved
    await query(pooler, 'p', 'SELECT')
    expect(pooler.port).not.toBe(before.port)
  })

  test('of a replica set reads from it; after closing, nothing remains', async () => {
    const replica = newId()
    await plane().createReplicaSet(replica, id)
    const reader = await plane().openForwarder(replica, 'pooler')
    expect(await query(reader, 'p', 'SELECT pg_is_in_recovery() AS standby')).toEqual([{ standby: true }])
    await plane().closeForwarder(replica, 'pooler')
    expect(await knock(reader)).toBe('refused')
    await plane().closeForwarder(id, 'pooler')
    const left = await findProcesses(plane().folder)
    expect(left.filter(line => line.includes('pgbouncer'))).toEqual([])
  })

  test('is restored with a kept folder, at its port, even for a stopped service', async () => {
    await using root = await openRoot()
    const options = { folder: root.path, ports: ownPorts }
    const before = await openClusters(options)
    await before.createService('runs', 'p')
    await before.createService('stopped', 'p')
    const runs = await before.openForwarder('runs', 'pooler')
    const stopped = await before.openForwarder('stopped', 'pooler')
    await before.stopService('stopped')
    const record = before.describe()
    await before.close()
    const after = await openClusters({ ...options, record })
    expect(after.restored.get('runs')?.pooler).toEqual(runs)
    expect(after.restored.get('stopped')?.pooler).toEqual(stopped)
    await query(runs, 'p', 'SELECT')
    await after.startService('stopped')
    await query(stopped, 'p', 'SELECT')
    await after.close()
    expect(await findProcesses(root.path)).toEqual([])
  })

  test('that exits is an error of enabling it, which can be repeated', async () => {
    const root = await createRoot()
    const program = path.join(root, 'pgbouncer')
    await writeFile(program, '#!/bin/sh\necho FATAL: broken >&2; exit 1\n', { mode: 0o755 })
    const usual = process.env.PATH
    process.env.PATH = `${root}${path.delimiter}${usual}`
    const dataPlane = await openClusters({ root, ports: ownPorts })
    process.env.PATH = usual
    try {
      const emulator = await start({ readyAfter: 0, changeAfter: 0, dataPlane })
      const { service_id } = (await callOverHttp(emulator, 'create-service', { name: 'shop' })).body
      const read = async () => (await callOverHttp(emulator, 'get-service', { service_id })).body
      await eventually(async () => expect((await read()).status).toBe('READY'))
      expect(await callOverHttp(emulator, 'enable-pooler', { service_id })).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('could not be started, and is not enabled') },
      })
      const { body } = await callOverHttp(emulator, 'get-service-logs', { service_id, severities: ['ERROR'] })
      expect(JSON.stringify(body)).toContain('FATAL: broken')
      expect(await read()).toMatchObject({ status: 'READY' })
      await writeFile(program, `#!/bin/sh\nexec ${await findPgbouncer(undefined)} "$@"\n`)
      expect((await callOverHttp(emulator, 'enable-pooler', { service_id })).status).toBe(200)
      expect((await read()).connection_pooler).toBeDefined()
    } finally {
      await stopAll()
      await rm(root, { recursive: true, force: true })
    }
  })

  test('ends with a killed emulator', async () => {
    const root = await createRoot()
    const host = fileURLToPath(new URL('../host.ts', import.meta.url))
    const { child, until } = runNode([host, root, 'pooler'])
    await until('ready')
    expect((await findProcesses(root)).filter(line => line.includes('pgbouncer'))).toHaveLength(1)
    child.kill('SIGKILL')
    await eventually(async () => expect(await findProcesses(root)).toEqual([]))
    await rm(root, { recursive: true, force: true, maxRetries: 5 })
  })
})
