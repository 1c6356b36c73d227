/** Tests read replica sets in the store. */
import { expect, test } from 'vitest'
import { readyStore, replica, timing } from '../support/virtual-store.ts'

function withReplicaSet() {
  const { store, service_id } = readyStore()
  const { id: replica_set_id } = store.call('create-replica', { service_id, ...replica })
  const read = () => store.call('list-replicas', { service_id })[0]
  return { store, service_id, replica_set_id, read }
}

test('creating → active → resizing → active with the new sizes → deleting → gone', () => {
  const { store, service_id, replica_set_id, read } = withReplicaSet()
  expect(read()).toEqual({
    id: replica_set_id,
    ...replica,
    status: 'creating',
    metadata: { environment: 'DEV' },
  })
  store.pass(timing.readyAfter)
  expect(read()).toMatchObject({
    status: 'active',
    endpoint: { host: `${replica_set_id}.databases.invalid` },
  })
  store.call('resize-replica', { service_id, replica_set_id, cpu_millis: '1000', memory_gbs: '4' })
  expect(read()).toMatchObject({ status: 'resizing', cpu_millis: 500 })
  expect(
    store.refusal('resize-replica', { service_id, replica_set_id, cpu_millis: '1', memory_gbs: '1' }),
  ).toMatchObject({ status: 409, message: expect.stringContaining('wait until it is active') })
  store.pass(timing.changeAfter)
  expect(read()).toMatchObject({ status: 'active', cpu_millis: 1000, memory_gbs: 4 })
  store.call('delete-replica', { service_id, replica_set_id })
  store.call('delete-replica', { service_id, replica_set_id })
  expect(read()).toMatchObject({ status: 'deleting' })
  store.pass(timing.deleteAfter)
  expect(read()).toBe(undefined)
  expect(store.refusal('delete-replica', { service_id, replica_set_id }).status).toBe(404)
})

test("get-service answers for a replica set's id; the list of services does not show it", () => {
  const { store, service_id, replica_set_id } = withReplicaSet()
  expect(store.service(replica_set_id)).toMatchObject({ service_id: replica_set_id, status: 'CONFIGURING' })
  store.pass(timing.readyAfter)
  expect(store.service(replica_set_id)).toMatchObject({
    status: 'READY',
    name: 'reader',
    endpoint: { port: 5432 },
    forked_from: { service_id, is_standby: true },
  })
  expect(store.call('list-services', {}).map(service => service.service_id)).toEqual([service_id])
  expect(store.service(service_id).read_replica_sets?.map(({ id }) => id)).toEqual([replica_set_id])
})

test('an environment of its own', () => {
  const { store, service_id, replica_set_id, read } = withReplicaSet()
  store.call('set-replica-environment', { service_id, replica_set_id, environment: 'PROD' })
  expect(read()?.metadata).toEqual({ environment: 'PROD' })
  expect(store.service(service_id).metadata).toEqual({ environment: 'DEV' })
})
