/** Tests the databases of read replica sets. */
import { expect, test } from 'vitest'
import type { Address } from '../../../../emulator/data-plane.ts'
import { eventually } from '../../support/eventually.ts'
import { knock, newId, query, useClusters } from '../support.ts'

const plane = useClusters({ snapshotAfter: 60_000 })

/** The standby shows it soon, not at once. */
async function shows(address: Address, password: string, sql: string, rows: unknown[]): Promise<void> {
  await eventually(async () => expect(await query(address, password, sql)).toEqual(rows))
}

test.concurrent('a replica set follows its service, read-only, with its passwords', async () => {
  const [service, replica] = [newId(), newId()]
  const address = await plane().createService(service, 'p')
  await query(address, 'p', 'CREATE TABLE t AS SELECT 1 AS i')
  const standby = await plane().createReplicaSet(replica, service)
  expect(await query(standby, 'p', 'SELECT i FROM t')).toEqual([{ i: 1 }])

  await query(address, 'p', 'INSERT INTO t VALUES (2)')
  await shows(standby, 'p', 'SELECT i FROM t ORDER BY i', [{ i: 1 }, { i: 2 }])
  await expect(query(standby, 'p', 'INSERT INTO t VALUES (3)')).rejects.toThrow('read-only transaction')
  await plane().setPassword(service, 'q')
  await shows(standby, 'q', 'SELECT 1 AS one', [{ one: 1 }])

  await plane().stopService(service)
  expect(await query(standby, 'q', 'SELECT count(*)::int AS n FROM t')).toEqual([{ n: 2 }])
  await plane().startService(service)
  await query(address, 'q', 'INSERT INTO t VALUES (3)')
  await shows(standby, 'q', 'SELECT count(*)::int AS n FROM t', [{ n: 3 }])

  const pooler = await plane().openForwarder(replica, 'pooler')
  expect(await query(pooler, 'q', 'SELECT pg_is_in_recovery() AS standby')).toEqual([{ standby: true }])

  await plane().deleteReplicaSet(replica)
  expect(await knock(standby)).toBe('refused')
  expect(await knock(pooler)).toBe('refused')
  expect(await query(address, 'q', 'SELECT slot_name FROM pg_replication_slots')).toEqual([])
})

test.concurrent('deleting a service deletes its replica sets, while one of them is being deleted', async () => {
  const [service, replica] = [newId(), newId()]
  await plane().createService(service, 'p')
  const standby = await plane().createReplicaSet(replica, service)
  await Promise.all([plane().deleteService(service), plane().deleteReplicaSet(replica)])
  expect(await knock(standby)).toBe('refused')
  await expect(plane().openForwarder(replica, 'pooler')).rejects.toThrow('no service')
})

test.concurrent('while its service is stopped, a deleted replica set does not keep the log, and a new one is refused', async () => {
  const [service, replica] = [newId(), newId()]
  await plane().createService(service, 'p')
  await plane().createReplicaSet(replica, service)
  await plane().stopService(service)
  await plane().deleteReplicaSet(replica)
  await expect(plane().createReplicaSet(replica, service)).rejects.toThrow('stopped: start it first')
  const address = await plane().startService(service)
  expect(await query(address, 'p', 'SELECT slot_name FROM pg_replication_slots')).toEqual([])
})
