/** Tests the cache of rendered services. */
import { expect, test } from 'vitest'
import { timing, VirtualStore } from '../support/virtual-store.ts'

const statuses = (store: VirtualStore) => store.call('list-services', {}).map(({ status }) => status)

test('a list is rendered once while nothing changes', () => {
  const store = new VirtualStore()
  store.readyService()
  expect(statuses(store)).toEqual(['READY'])
  expect(store.call('list-services', {})).toBe(store.call('list-services', {}))
})

test('a service is made once while nothing changes, and anew after each change', () => {
  const store = new VirtualStore()
  const service_id = store.readyService()
  const read = () => store.call('get-service', { service_id })
  const before = read()
  expect(read()).toBe(before)
  store.call('rename-service', { service_id, name: 'renamed' })
  expect(read()).toMatchObject({ name: 'renamed' })
  store.call('stop-service', { service_id })
  expect(read().status).toBe('PAUSING')
  store.pass(timing.changeAfter)
  expect(read().status).toBe('PAUSED')
  expect(before).toMatchObject({ status: 'READY' })
})

test('every change by a call is in the next list', () => {
  const store = new VirtualStore()
  const service_id = store.readyService()
  statuses(store)
  store.call('rename-service', { service_id, name: 'renamed' })
  expect(store.call('list-services', {})).toMatchObject([{ name: 'renamed' }])
  store.store.lost(service_id, 'it was killed')
  expect(statuses(store)).toEqual(['UNSTABLE'])
  store.store.found(service_id, { host: '127.0.0.1', port: 5433 })
  expect(statuses(store)).toEqual(['READY'])
})

test('changes with time are in the list, even in its last moment', () => {
  const store = new VirtualStore()
  const service_id = store.readyService()
  statuses(store)
  store.call('stop-service', { service_id })
  expect(statuses(store)).toEqual(['PAUSING'])
  store.pass(timing.changeAfter)
  expect(statuses(store)).toEqual(['PAUSED'])
  store.call('delete-service', { service_id })
  expect(statuses(store)).toEqual(['DELETING'])
  store.pass(timing.deleteAfter)
  expect(statuses(store)).toEqual([])
})
