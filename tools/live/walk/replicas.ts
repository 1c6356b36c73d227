// The steps with replicas.

import { nameOf } from '../names.ts'
import type { Main } from './life.ts'
import { reach } from './login.ts'
import { makeRoom } from './make.ts'
import { settle } from './settle.ts'
import type { Tour } from './tour.ts'

/** Adds a second server to the service, and removes it. */
export async function setHighAvailability(tour: Tour, { ids }: Main): Promise<void> {
  await makeRoom(tour)
  for (const replica_count of [1, 0]) {
    await tour.client.call('set-ha', { ...ids, replica_count })
    await settle(tour, 'set-ha', { ...ids, replica_count }, 'READY')
  }
}

export async function walkReplicaSet(tour: Tour, { ids, login }: Main): Promise<void> {
  const { client, run, findings } = tour
  await makeRoom(tour)
  const asked = { name: nameOf(run, 'replica'), nodes: 1, cpu_millis: 500, memory_gbs: 2 }
  const { id } = await client.call('create-replica', { ...ids, ...asked })
  const own = { ...ids, replica_set_id: id }
  await settle(tour, 'create-replica', own)
  const set = (await client.call('list-replicas', ids)).find(one => one.id === id)
  if (set?.endpoint) await reach(tour, 'a replica set', { ...login, address: set.endpoint })
  else findings.differ('list-replicas: an active replica set without endpoint')
  for (const operation of ['enable-replica-pooler', 'disable-replica-pooler'] as const) {
    await client.call(operation, own)
    await settle(tour, operation, own, 'active')
  }
  const larger = { ...own, cpu_millis: '1000', memory_gbs: '4' }
  await client.call('resize-replica', larger)
  await settle(tour, 'resize-replica', larger, 'active')
  await client.call('set-replica-environment', { ...own, environment: 'DEV' })
  await client.call('delete-replica', own)
  await settle(tour, 'delete-replica', own, 'active')
}
