/** Tests forks in the store. */
import { expect, test } from 'vitest'
import { readyStore, start, timing, VirtualStore } from '../support/virtual-store.ts'

const tooEarly = {
  status: 400,
  message: expect.stringContaining("doesn't yet have any backups or snapshots available"),
}

test('a fork inherits from its parent everything but name, environment and high availability', () => {
  const store = new VirtualStore()
  const parent = store.call('create-service', {
    name: 'shop',
    addons: ['time-series'],
    region_code: 'eu-west-1',
    replica_count: 2,
    cpu_millis: '1000',
    memory_gbs: '4',
    environment_tag: 'PROD',
  })
  store.pass(timing.readyAfter)
  const fork = store.call('fork-service', { service_id: parent.service_id, fork_strategy: 'NOW' })
  expect(fork).toMatchObject({
    name: 'standard-fork-shop',
    region_code: 'eu-west-1',
    service_type: 'TIMESERIESDB',
    status: 'QUEUED',
    metadata: { environment: 'DEV' },
    ha_replicas: { replica_count: 0, sync_replica_count: 0 },
    resources: [{ spec: { cpu_millis: 1000, memory_gbs: 4 } }],
    forked_from: { project_id: store.store.project.id, service_id: parent.service_id, is_standby: false },
    initial_password: expect.stringMatching(/^[A-Za-z0-9]{24,}$/),
  })
  expect(fork.initial_password).not.toBe(parent.initial_password)
})

test('a fork without a name is called by its strategy and parent, with a number where that is taken', () => {
  const store = new VirtualStore()
  const service_id = store.readyService('shop')
  store.pass(timing.snapshotAfter)
  const target_time = new Date(store.now).toISOString()
  const fork = (more: object = {}) =>
    store.call('fork-service', { service_id, fork_strategy: 'NOW', ...more }).name
  expect([fork(), fork(), fork({ fork_strategy: 'LAST_SNAPSHOT' })]).toEqual([
    'standard-fork-shop',
    'standard-fork-shop-1',
    'standard-fork-shop-2',
  ])
  expect(fork({ fork_strategy: 'PITR', target_time })).toBe('recovery-fork-shop')
  expect(fork({ name: 'mine' })).toBe('mine')
  const longest = 'p'.repeat(128)
  const parent = { service_id: store.readyService(longest) }
  expect([fork(parent), fork(parent)]).toEqual([
    `standard-fork-${'p'.repeat(114)}`,
    `standard-fork-${'p'.repeat(112)}-1`,
  ])
})

test('LAST_SNAPSHOT and PITR need a snapshot, which comes a while after READY', () => {
  const { store, service_id } = readyStore()
  const target_time = new Date(store.now).toISOString()
  store.pass(timing.snapshotAfter - 1)
  expect(store.refusal('fork-service', { service_id, fork_strategy: 'LAST_SNAPSHOT' })).toMatchObject(
    tooEarly,
  )
  expect(store.refusal('fork-service', { service_id, fork_strategy: 'PITR', target_time })).toMatchObject(
    tooEarly,
  )
  store.pass(1)
  store.call('fork-service', { service_id, fork_strategy: 'LAST_SNAPSHOT' })
  store.call('fork-service', { service_id, fork_strategy: 'PITR', target_time })
})

test('with a data plane, the data plane decides whether a snapshot exists', () => {
  const { store, service_id } = readyStore()
  store.pass(timing.snapshotAfter)
  const fork = { service_id, fork_strategy: 'LAST_SNAPSHOT' } as const
  expect(store.refusal('fork-service', fork, { lastSnapshot: () => undefined })).toMatchObject(tooEarly)
  expect(store.reply('fork-service', fork, { lastSnapshot: () => store.now }).status).toBe(202)
})

test.each([
  ['in the future', 60_000],
  ["before the parent's creation", -60_000],
])('a PITR target %s is refused', (_, offset) => {
  const { store, service_id } = readyStore()
  store.pass(timing.snapshotAfter)
  const target_time = new Date(start + offset).toISOString()
  const { status, message } = store.refusal('fork-service', {
    service_id,
    fork_strategy: 'PITR',
    target_time,
  })
  expect(status).toBe(400)
  expect(message).toContain('target_time')
})
