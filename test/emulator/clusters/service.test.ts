/** Tests the databases of services. */
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Address } from '../../../emulator/data-plane.ts'
import { eventually } from '../support/eventually.ts'
import { knock, newId, query, useClusters, withClient } from './support.ts'

const plane = useClusters({ snapshotAfter: 60_000 })

describe('a new service', () => {
  const id = newId()
  let address: Address
  beforeAll(async () => {
    address = await plane().createService(id, 'right')
  })

  test('accepts its user by password, over TLS, in its own database', async () => {
    const login = `SELECT current_user, current_database(), rolsuper, ssl
       FROM pg_roles, pg_stat_ssl WHERE rolname = current_user AND pid = pg_backend_pid()`
    expect(await query(address, 'right', login)).toEqual([
      { current_user: 'tsdbadmin', current_database: 'tsdb', rolsuper: false, ssl: true },
    ])
    await query(address, 'right', 'CREATE TABLE t (i int); CREATE EXTENSION pgcrypto; CREATE ROLE app LOGIN')
    await query(address, 'right', 'CREATE DATABASE other')
  })

  test('refuses a wrong password, a connection without TLS, and the superuser', async () => {
    await expect(query(address, 'wrong', 'SELECT')).rejects.toThrow('password authentication failed')
    await expect(query(address, 'right', 'SELECT', { ssl: false })).rejects.toThrow('no encryption')
    await expect(query(address, 'right', 'SELECT', { user: 'postgres' })).rejects.toThrow(
      'rejects connection',
    )
  })

  test('shows a certificate for localhost that a client can verify', async () => {
    const { pem: certificate } = plane().certificate
    await query(address, 'right', 'SELECT', { ssl: { ca: certificate, servername: 'localhost' } })
    const parsed = new X509Certificate(certificate)
    expect(parsed.verify(parsed.publicKey)).toBe(true)
    expect(parsed.checkIP('127.0.0.1')).toBe('127.0.0.1')
  })

  test('keeps its id: another one with that id is refused', async () => {
    await expect(plane().createService(id, 'second')).rejects.toThrow('is taken')
    await query(address, 'right', 'SELECT')
  })
})

describe('passwords', () => {
  test('may hold any character', async () => {
    const id = newId()
    const passwords = [
      `'; DROP ROLE tsdbadmin; -- \\' " $1 $$`,
      ' a\tb\n c ',
      '%:@/?#[]!&=+,;`~^|<>{}()*',
      'pässwörd-密码-🔑',
      'x'.repeat(900),
    ]
    const address = await plane().createService(id, 'first')
    let old = 'first'
    for (const password of passwords) {
      await plane().setPassword(id, password)
      await query(address, password, 'SELECT')
      await expect(query(address, old, 'SELECT')).rejects.toThrow('password authentication failed')
      old = password
    }
  })

  test('that PostgreSQL cannot store are refused, and leave no service behind', async () => {
    const id = newId()
    await expect(plane().createService(id, '')).rejects.toThrow('empty')
    await expect(plane().createService(id, 'a\0b')).rejects.toThrow('NUL')
    await expect(plane().startService(id)).rejects.toThrow(`no service ${id}`)
  })
})

describe('stop and start', () => {
  test('a stopped service refuses connections, and restarts on its port with its data', async () => {
    const id = newId()
    const address = await plane().createService(id, 'p')
    await query(address, 'p', 'CREATE TABLE t AS SELECT 7 AS i')
    await withClient(address, 'p', async client => {
      await plane().stopService(id)
      await expect(client.query('SELECT')).rejects.toThrow()
    })
    // Doing either once more changes nothing.
    await plane().stopService(id)
    expect(await knock(address)).toBe('refused')
    await expect(plane().setPassword(id, 'q')).rejects.toThrow('stopped: start it first')
    expect(await plane().startService(id)).toEqual(address)
    expect(await plane().startService(id)).toEqual(address)
    expect(await query(address, 'p', 'SELECT i FROM t')).toEqual([{ i: 7 }])
  })

  test('moves to another port, with its replica set and forwarder, if its own is taken', async () => {
    const [id, replica] = [newId(), newId()]
    const address = await plane().createService(id, 'p')
    const standby = await plane().createReplicaSet(replica, id)
    const vpc = await plane().openForwarder(id, 'vpc')
    await plane().stopService(id)
    await using squatter = createServer().listen(address)
    await once(squatter, 'listening')
    const moved = await plane().startService(id)
    expect(moved.port).not.toBe(address.port)
    await query(moved, 'p', 'CREATE TABLE t AS SELECT 1 AS i')
    expect(await query(vpc, 'p', 'SELECT i FROM t')).toEqual([{ i: 1 }])
    await eventually(async () => expect(await query(standby, 'p', 'SELECT i FROM t')).toEqual([{ i: 1 }]))
  })
})

describe('delete', () => {
  test('of a service that is being created waits for it and leaves nothing', async () => {
    const id = newId()
    const creation = plane().createService(id, 'p')
    await Promise.resolve()
    await plane().deleteService(id)
    expect(await knock(await creation)).toBe('refused')
    await expect(plane().stopService(id)).rejects.toThrow('no service')
  })

  test('runs before jobs that have not started', async () => {
    const id = newId()
    await plane().createService(id, 'p')
    const results = await Promise.allSettled([
      plane().stopService(id),
      plane().deleteService(id),
      plane().deleteService(id),
      plane().startService(id),
    ])
    expect(results.map(result => result.status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'rejected'])
  })

  test('of an unknown service does nothing', async () => {
    await expect(plane().deleteService(newId())).resolves.toBeUndefined()
  })
})

test('a forwarder forwards connections, closes them while the service is stopped, and ends', async () => {
  const id = newId()
  const address = await plane().createService(id, 'p')
  const vpc = await plane().openForwarder(id, 'vpc')
  expect(vpc.port).not.toBe(address.port)
  expect(await plane().openForwarder(id, 'vpc')).toEqual(vpc)
  expect(await query(vpc, 'p', 'SELECT length(repeat($$x$$, 300000)) AS n')).toEqual([{ n: 300_000 }])

  await plane().stopService(id)
  expect(await knock(vpc)).toBe('closed')
  await plane().startService(id)
  await withClient(vpc, 'p', async client => {
    await plane().closeForwarder(id, 'vpc')
    await expect(client.query('SELECT')).rejects.toThrow()
  })
  expect(await knock(vpc)).toBe('refused')

  const another = await plane().openForwarder(id, 'vpc')
  await plane().deleteService(id)
  expect(await knock(another)).toBe('refused')
})

describe('the log', () => {
  test("shows the service's lines, newest first, without passwords", async () => {
    const id = newId()
    const address = await plane().createService(id, 'secret-1')
    await plane().setPassword(id, 'secret-2')
    await query(address, 'secret-2', 'SELECT 1/0').catch(() => {})
    const logs = await eventually(async () => {
      const entries = await plane().readLogs(id)
      expect(entries[0]).toMatchObject({
        severity: 'ERROR',
        message: 'division by zero\nSTATEMENT: SELECT 1/0',
      })
      return entries
    })
    expect(logs.at(-1)?.message).toMatch(/^starting PostgreSQL 18/)
    expect(JSON.stringify(logs)).not.toContain('secret')
    for (const { timestamp } of logs) expect(Math.abs(Date.now() - timestamp.getTime())).toBeLessThan(60_000)
  })
})
