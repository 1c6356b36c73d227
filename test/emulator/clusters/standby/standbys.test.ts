/** Tests standbys for high availability. */
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openClusters } from '../../../../emulator/clusters/open-clusters.ts'
import { asAdmin } from '../../../../emulator/clusters/server/admin.ts'
import type { Address } from '../../../../emulator/data-plane.ts'
import { openRoot } from '../../../support/database-folder.ts'
import { ownPorts } from '../../../support/own-ports.ts'
import { eventually } from '../../support/eventually.ts'
import { findProcesses, killServer, knock, newId, query, readServerPid, useClusters } from '../support.ts'

const plane = useClusters({ snapshotAfter: 60_000 })

const counts = (syncReplicaCount: number, replicaCount: number) => ({ syncReplicaCount, replicaCount })
const readStates = 'SELECT sync_state AS state FROM pg_stat_replication ORDER BY 1 DESC'

/** How the primary sees those that follow it. */
const states = async (address: Address) =>
  (await query<{ state: string }>(address, 'p', readStates)).map(({ state }) => state)

/** The folders of a service and of its standbys. */
function foldersOf(id: string): { primary: string; standbys: string[] } {
  const { services } = plane().describe()
  const { folder, standbys } = services.find(service => service.id === id) ?? expect.fail(id)
  const inPlane = (name: string) => path.join(plane().folder, name)
  return { primary: inPlane(folder), standbys: standbys.all.map(standby => inPlane(standby.folder)) }
}

/** Makes a server unable to start again, and kills it. */
async function breakServer(folder: string): Promise<void> {
  await rm(path.join(folder, 'data/global/pg_control'))
  await killServer(folder)
}

test.concurrent('a service has the requested numbers of standbys, synchronous or not', async () => {
  const id = newId()
  const address = await plane().createService(id, 'p')
  await plane().setStandbys(id, counts(1, 1))
  // Only those that commits wait for are waited for.
  await eventually(async () => expect(await states(address)).toEqual(['sync', 'async']))
  await plane().setStandbys(id, counts(0, 1))
  await eventually(async () => expect(await states(address)).toEqual(['async']))
  await plane().setStandbys(id, counts(2, 0))
  expect(await states(address)).toEqual(['sync', 'sync'])
  await plane().resizeService(id, { cpuMillis: 2000, memoryGbs: 8 })
  await query(address, 'p', 'CREATE TABLE t AS SELECT 1 AS i')
  await eventually(async () => expect(await states(address)).toEqual(['sync', 'sync']))

  // A fork gets no replication settings: its commits would wait for missing standbys.
  const fork = await plane().forkService(newId(), id, { strategy: 'NOW' }, 'p')
  await query(fork, 'p', 'INSERT INTO t VALUES (2)')
  await plane().stopService(id)
  const { standbys } = foldersOf(id)
  for (const folder of standbys) expect(await findProcesses(folder)).toEqual([])
  expect(standbys).toHaveLength(2)
  await expect(plane().setStandbys(id, counts(0, 2))).rejects.toThrow('stopped: start it first')
  await plane().startService(id)
  await query(address, 'p', 'INSERT INTO t VALUES (3)')
  await plane().setStandbys(id, counts(0, 0))
  await eventually(async () => expect(await states(address)).toEqual([]))
  expect(await query(address, 'p', 'SELECT slot_name FROM pg_replication_slots')).toEqual([])
})

test.concurrent("a service with a broken primary continues with its standby's data, at its address", async () => {
  const [id, replica] = [newId(), newId()]
  const address = await plane().createService(id, 'p')
  const reader = await plane().createReplicaSet(replica, id)
  await plane().setStandbys(id, counts(1, 0))
  await query(address, 'p', 'CREATE TABLE t AS SELECT 7 AS i')
  await breakServer(foldersOf(id).primary)
  await eventually(async () => expect(await query(address, 'p', 'SELECT i FROM t')).toEqual([{ i: 7 }]))
  // It has a standby once more, and its replica set follows it.
  await eventually(async () => expect(await states(address)).toEqual(['sync', 'async']))
  await query(address, 'p', 'INSERT INTO t VALUES (8)')
  await eventually(async () => expect(await query(reader, 'p', 'SELECT i FROM t')).toHaveLength(2))
  await eventually(async () => expect(plane().lastSnapshot(id)).toBeDefined())
  const fork = await plane().forkService(newId(), id, { strategy: 'LAST_SNAPSHOT' }, 'p')
  expect(await query(fork, 'p', 'SELECT i FROM t WHERE i = 7')).toHaveLength(1)
})

test.concurrent('a dead standby is restarted or recreated', async () => {
  const id = newId()
  const address = await plane().createService(id, 'p')
  await plane().setStandbys(id, counts(1, 0))
  const standby = () => foldersOf(id).standbys[0] ?? ''
  const first = standby()
  const killed = await killServer(first)
  await eventually(async () => expect(await readServerPid(first)).not.toBe(killed))
  await query(address, 'p', 'CREATE TABLE t (i int)')
  expect(standby()).toBe(first)
  await breakServer(first)
  // The receiver of a killed server outlives it for a moment and may still acknowledge a commit.
  await eventually(async () => expect(standby()).not.toBe(first))
  await query(address, 'p', 'INSERT INTO t VALUES (1)')
})

test.concurrent('standbys are restored with a kept folder, and replace a damaged primary', async () => {
  await using root = await openRoot()
  const folder = root.path
  const before = await openClusters({ folder, ports: ownPorts })
  const address = await before.createService('service', 'p')
  await before.setStandbys('service', counts(1, 1))
  const record = before.describe()
  // As of one that was being made when the emulator was killed.
  await asAdmin({ socketFolder: path.join(folder, 'c1'), port: address.port, password: '' }, client =>
    client.query("SELECT pg_create_physical_replication_slot('c99')"),
  )
  await before.close()

  const after = await openClusters({ folder, ports: ownPorts, record })
  await query(address, 'p', 'CREATE TABLE t AS SELECT 7 AS i')
  await eventually(async () => expect(await states(address)).toEqual(['sync', 'async']))
  const slots = 'SELECT count(*)::int AS count FROM pg_replication_slots'
  expect(await query(address, 'p', slots)).toEqual([{ count: 2 }])
  const kept = after.describe()
  await after.close()
  expect(await findProcesses(folder)).toEqual([])

  await rm(path.join(folder, 'c1/data/global/pg_control'))
  const healed = await openClusters({ folder, ports: ownPorts, record: kept })
  expect(await query(address, 'p', 'SELECT i FROM t')).toEqual([{ i: 7 }])
  await eventually(async () => expect(await states(address)).toEqual(['sync', 'async']))
  await healed.deleteService('service')
  expect(await knock(address)).toBe('refused')
  await healed.close()
})
