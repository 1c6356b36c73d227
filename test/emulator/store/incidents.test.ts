/** Tests lost and restored databases in the store. */
import { expect, test } from 'vitest'
import { address, readyStore, replica, timing } from '../support/virtual-store.ts'

test('a database that is lost makes its service UNSTABLE until it is found again', () => {
  const { store, service_id: id } = readyStore()
  store.store.lost(id, 'it was killed')
  expect(store.service(id)).toMatchObject({ status: 'UNSTABLE' })
  const { logs } = store.call('get-service-logs', { service_id: id })
  expect(logs?.join()).toContain('it was killed')
  store.store.found(id, address)
  expect(store.service(id)).toMatchObject({ status: 'READY', endpoint: address })
})

test('an UNSTABLE service can be started', () => {
  const { store, service_id: id } = readyStore()
  store.store.lost(id, 'it was killed')
  expect(store.call('start-service', { service_id: id })).toMatchObject({ status: 'RESUMING' })
  store.pass(timing.readyAfter)
  expect(store.service(id)).toMatchObject({ status: 'READY' })
})

test('neither changes a paused service, one that is being deleted, or one that is gone', () => {
  const { store, service_id: paused } = readyStore()
  store.call('stop-service', { service_id: paused })
  store.pass(timing.changeAfter)
  const deleted = store.readyService()
  store.call('delete-service', { service_id: deleted })
  for (const id of [paused, deleted, 'nobody']) {
    store.store.lost(id, 'gone')
    store.store.found(id, address)
  }
  expect(store.service(paused)).toMatchObject({ status: 'PAUSED' })
  expect(store.service(deleted)).toMatchObject({ status: 'DELETING' })
})

test('a replica set is in error, and active again', () => {
  const { store, service_id } = readyStore()
  const { id } = store.call('create-replica', { service_id, ...replica })
  store.pass(timing.readyAfter)
  const status = () => store.call('list-replicas', { service_id })[0]?.status
  store.store.lost(id, 'it was killed')
  expect(status()).toBe('error')
  store.store.found(id, address)
  expect(status()).toBe('active')
  expect(store.service(service_id)).toMatchObject({ status: 'READY' })
})
