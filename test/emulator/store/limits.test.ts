/** Tests the limits of the store. */
import { expect, test } from 'vitest'
import { readyStore, replica, timing, VirtualStore } from '../support/virtual-store.ts'

const pairs = '500 and 2, 1000 and 4, 2000 and 8, 4000 and 16, 8000 and 32, 16000 and 64 or 32000 and 128'
const sizeRule = (cpu: string | number, memory: string | number, smallest = '') =>
  `cpu_millis, memory_gbs: expected ${smallest}${pairs}, not ${cpu} and ${memory}`

test.each<[string, Parameters<VirtualStore['refusal']>[0], object, string]>([
  ['a region', 'create-service', { name: 'a', region_code: 'mars-1' }, 'region_code: expected one of ap-nor'],
  ['sizes', 'create-service', { name: 'a', cpu_millis: '500', memory_gbs: '4' }, sizeRule(500, 4)],
  ['a CPU', 'create-service', { name: 'a', cpu_millis: '501' }, sizeRule(501, 'none')],
  ['a memory', 'create-service', { name: 'a', memory_gbs: '3' }, sizeRule('none', 3)],
  ['replicas', 'create-service', { name: 'a', replica_count: 6 }, 'replica_count: expected at most 5, not 6'],
  ['sizes of a fork', 'fork-service', { fork_strategy: 'NOW', cpu_millis: '1' }, sizeRule(1, 'none')],
  ['new sizes', 'resize-service', { cpu_millis: '2000', memory_gbs: '4' }, sizeRule(2000, 4)],
  ['more replicas', 'set-ha', { sync_replica_count: 7 }, 'sync_replica_count: expected at most 5, not 7'],
  ['nodes', 'create-replica', { ...replica, nodes: 11 }, 'nodes: expected at most 10, not 11'],
  ['sizes of a set', 'create-replica', { ...replica, memory_gbs: 3 }, sizeRule(500, 3, '250 and 1, ')],
  ['a node of a log', 'get-service-logs', { node: 1 }, 'node: expected a whole number up to 0, not 1'],
  [
    'the region of a VPC',
    'create-vpc',
    { name: 'n', cidr: '10.0.0.0/16', region_code: 'US-EAST-1' },
    'region_code: expected one of ap-nor',
  ],
])('%s that the service does not have is refused', (_, operation, params, message) => {
  const { store, service_id } = readyStore()
  expect(store.refusal(operation, { service_id, ...params } as never)).toEqual({
    status: 400,
    message: expect.stringContaining(message),
  })
})

test.each([
  [{ cpu_millis: '4000' }, { cpu_millis: 4000, memory_gbs: 16 }],
  [{ memory_gbs: '8' }, { cpu_millis: 2000, memory_gbs: 8 }],
  [{}, { cpu_millis: 500, memory_gbs: 2 }],
])('the sizes %j are completed to %j', (given, spec) => {
  const { resources } = new VirtualStore().call('create-service', { name: 'shop', ...given })
  expect(resources?.[0]?.spec).toMatchObject(spec)
})

test('a read replica set may be smaller than any service', () => {
  const { store, service_id } = readyStore()
  const small = { cpu_millis: 250, memory_gbs: 1 }
  expect(store.call('create-replica', { service_id, ...replica, ...small })).toMatchObject(small)
})

test('a service with replicas has the logs of as many nodes', () => {
  const store = new VirtualStore()
  const { service_id } = store.call('create-service', { name: 'shop', replica_count: 2 })
  expect(store.call('get-service-logs', { service_id, node: 2 }).entries).not.toEqual([])
  expect(store.refusal('get-service-logs', { service_id, node: 3 }).status).toBe(400)
})

test('the memory limits the databases of services, standbys and replica sets', () => {
  const { store, service_id } = readyStore({ maxDatabases: 5 })
  store.call('create-replica', { service_id, ...replica })
  store.pass(timing.readyAfter)
  store.call('set-ha', { service_id, replica_count: 2 })
  // Four now, the standbys that are still being made among them: one more may come, two may not.
  const full = (count: number) => ({
    status: 409,
    message:
      `limit reached: services, their standbys and read replica sets have ${count} databases, and the memory is ` +
      'enough for 5; delete some, or set the number of services with --max-services',
  })
  expect(store.refusal('create-service', { name: 'b', replica_count: 1 })).toEqual(full(4))
  const { service_id: fifth } = store.call('create-service', { name: 'b' })
  store.pass(timing.readyAfter)
  expect(store.refusal('fork-service', { service_id, fork_strategy: 'NOW' })).toEqual(full(5))
  expect(store.refusal('create-replica', { service_id, ...replica })).toEqual(full(5))
  expect(store.refusal('set-ha', { service_id, replica_count: 2, sync_replica_count: 1 })).toEqual(full(5))
  store.call('set-ha', { service_id, replica_count: 1, sync_replica_count: 1 })
  store.pass(timing.changeAfter)
  store.call('set-ha', { service_id, replica_count: 0, sync_replica_count: 1 })
  store.call('delete-service', { service_id: fifth ?? '' })
  store.pass(timing.changeAfter + timing.deleteAfter)
  store.call('set-ha', { service_id, replica_count: 2, sync_replica_count: 1 })
})
