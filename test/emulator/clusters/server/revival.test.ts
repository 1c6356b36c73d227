/** Tests the restart of killed servers. */
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Incident } from '../../../../emulator/data-plane.ts'
import { eventually } from '../../support/eventually.ts'
import { killServer, newId, query, useClusters } from '../support.ts'

const plane = useClusters({ snapshotAfter: 3_600_000 })
let incidents: Incident[]

beforeEach(() => {
  incidents = []
  plane().watch(incident => incidents.push(incident))
})

/** The folder of a service or replica set. */
function folderOf(id: string): string {
  const { services } = plane().describe()
  const all = services.flatMap(service => [service, ...service.replicaSets])
  return path.join(plane().folder, all.find(one => one.id === id)?.folder ?? expect.fail(id))
}

test('a killed server is restarted at its address, with its committed data', async () => {
  const id = newId()
  const address = await plane().createService(id, 'p')
  await query(address, 'p', 'CREATE TABLE t AS SELECT 7 AS n')
  await killServer(folderOf(id))
  await eventually(async () => expect(incidents).toEqual([{ kind: 'found', id, address }]))
  expect(await query(address, 'p', 'SELECT n FROM t')).toEqual([{ n: 7 }])
})

test('the standby of a replica set is restarted too', async () => {
  const [id, replica] = [newId(), newId()]
  await plane().createService(id, 'p')
  const address = await plane().createReplicaSet(replica, id)
  await killServer(folderOf(replica))
  await eventually(async () => expect(incidents).toEqual([{ kind: 'found', id: replica, address }]))
  expect(await query(address, 'p', 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a server that cannot restart is reported as lost, and can still be deleted', async () => {
  const id = newId()
  await plane().createService(id, 'p')
  const folder = folderOf(id)
  await rm(path.join(folder, 'data', 'global'), { recursive: true })
  await killServer(folder).catch(() => {})
  await eventually(async () => expect(incidents).toMatchObject([{ kind: 'lost', id }]))
  await plane().deleteService(id)
})

test('stopping or deleting a service is not an incident', async () => {
  const [stopped, deleted] = [newId(), newId()]
  await plane().createService(stopped, 'p')
  await plane().createService(deleted, 'p')
  await plane().stopService(stopped)
  await plane().deleteService(deleted)
  // Jobs of a service are done in order: one that revived it would be done by now.
  await plane().startService(stopped)
  expect(incidents).toEqual([])
})
