/** Tests services in the store. */
import { describe, expect, test } from 'vitest'
import { readyStore, replica, timing, VirtualStore } from '../support/virtual-store.ts'

const { readyAfter, changeAfter, deleteAfter } = timing

/** The statuses that a service shows, without repeats, while `ms` pass. */
function statusesDuring(store: VirtualStore, service_id: string, ms: number): (string | undefined)[] {
  const seen: (string | undefined)[] = []
  for (let passed = 0; passed <= ms; passed += 50) {
    const { status, body } = store.reply('get-service', { service_id })
    const shown = status === 404 ? '404' : (body as { status?: string }).status
    if (shown !== seen.at(-1)) seen.push(shown)
    store.pass(50)
  }
  return seen
}

function pausedService(store: VirtualStore): string {
  const service_id = store.readyService()
  store.call('stop-service', { service_id })
  store.pass(changeAfter)
  return service_id
}

describe('a service passes through its statuses in order', () => {
  test.each<[string, (store: VirtualStore, service_id: string) => void, string[]]>([
    [
      'resize',
      (s, service_id) => s.call('resize-service', { service_id, cpu_millis: '1000', memory_gbs: '4' }),
      ['UPGRADING', 'READY'],
    ],
    ['set-ha', (s, service_id) => s.call('set-ha', { service_id, replica_count: 1 }), ['UPGRADING', 'READY']],
    ['stop', (s, service_id) => s.call('stop-service', { service_id }), ['PAUSING', 'PAUSED']],
    ['delete', (s, service_id) => s.call('delete-service', { service_id }), ['DELETING', '404']],
    ['rename', (s, service_id) => s.call('rename-service', { service_id, name: 'n' }), ['READY']],
  ])('%s', (_, change, statuses) => {
    const { store, service_id: id } = readyStore()
    change(store, id)
    expect(statusesDuring(store, id, 2000)).toEqual(statuses)
  })

  test('create, stop, start, fork', () => {
    const store = new VirtualStore()
    const { service_id } = store.call('create-service', { name: 'shop' })
    expect(statusesDuring(store, service_id, 2000)).toEqual(['QUEUED', 'CONFIGURING', 'READY'])
    store.call('stop-service', { service_id })
    store.pass(changeAfter)
    expect(store.service(service_id)).toMatchObject({ status: 'PAUSED', paused: true })
    const fork = store.call('fork-service', { service_id, fork_strategy: 'NOW' })
    expect(statusesDuring(store, fork.service_id, 2000)).toEqual(['QUEUED', 'CONFIGURING', 'READY'])
    expect(store.call('start-service', { service_id })).toMatchObject({ status: 'RESUMING', paused: false })
    expect(statusesDuring(store, service_id, 2000)).toEqual(['RESUMING', 'READY'])
  })
})

test('only the answer to create has the password', () => {
  const store = new VirtualStore()
  const { service_id, initial_password } = store.call('create-service', { name: 'shop' })
  expect(initial_password).toMatch(/^[A-Za-z0-9]{24,}$/)
  store.pass(readyAfter)
  const later = [
    store.service(service_id),
    store.call('list-services', {}),
    store.call('rename-service', { service_id, name: 'b' }),
  ]
  expect(JSON.stringify(later)).not.toContain(initial_password)
  expect(JSON.stringify(later)).not.toContain('initial_password')
})

test.each([
  [undefined, 'POSTGRES'],
  [[], 'POSTGRES'],
  [['ai'], 'POSTGRES'],
  [['time-series'], 'TIMESERIESDB'],
  [['ai', 'time-series'], 'TIMESERIESDB'],
] as [('ai' | 'time-series')[] | undefined, string][])('addons %j make a %s', (addons, type) => {
  expect(new VirtualStore().call('create-service', { name: 'shop', addons }).service_type).toBe(type)
})

test('the service type of time-series is an option', () => {
  const store = new VirtualStore({ timeSeriesType: 'TIMESCALEDB' })
  const { service_id, service_type } = store.call('create-service', { name: 'a', addons: ['time-series'] })
  expect([service_type, store.service(service_id).service_type]).toEqual(['TIMESCALEDB', 'TIMESCALEDB'])
  expect(store.call('create-service', { name: 'b' }).service_type).toBe('POSTGRES')
})

test('a resize answers that it began, set-ha with the old state; the new state comes with READY', () => {
  const { store, service_id } = readyStore()
  const size = () => store.service(service_id).resources?.[0]?.spec?.cpu_millis
  const answer = store.call('resize-service', { service_id, cpu_millis: '2000', memory_gbs: '8' })
  expect(answer).toMatchObject({
    status: 'UPGRADING',
    resources: [{ spec: { cpu_millis: 500, memory_gbs: 2 } }],
  })
  store.pass(changeAfter - 1)
  expect([store.service(service_id).status, size()]).toEqual(['UPGRADING', 500])
  store.pass(1)
  expect([store.service(service_id).status, size()]).toEqual(['READY', 2000])
  expect(store.call('set-ha', { service_id, sync_replica_count: 1 })).toMatchObject({
    status: 'READY',
    ha_replicas: { sync_replica_count: 0 },
  })
  store.pass(changeAfter)
  expect(store.service(service_id).ha_replicas).toEqual({ replica_count: 0, sync_replica_count: 1 })
})

test('shared resources have no size of their own', () => {
  const store = new VirtualStore()
  const { resources } = store.call('create-service', { name: 'shop', cpu_millis: 'shared' })
  expect(resources?.[0]?.spec).toEqual({ volume_type: 'gp3' })
  const params = { name: 'shop', cpu_millis: 'shared', memory_gbs: '2' }
  expect(store.refusal('create-service', params).status).toBe(400)
})

describe('while it is not READY, a service takes no change', () => {
  const beginCreation = (store: VirtualStore) => store.call('create-service', { name: 'shop' }).service_id
  const beginDeletion = (store: VirtualStore) => {
    const service_id = store.readyService()
    store.call('delete-service', { service_id })
    return service_id
  }
  test.each([
    ['QUEUED', beginCreation, 'READY', [409, 'READY']],
    ['PAUSED', pausedService, 'start it first', [400, 'already paused']],
    ['DELETING', beginDeletion, 'being deleted', [409, 'being deleted']],
  ] as const)('%s', (status, prepare, reason, [stopStatus, stopReason]) => {
    const store = new VirtualStore()
    const service_id = prepare(store)
    expect(store.service(service_id).status).toBe(status)
    const changes = [
      store.refusal('resize-service', { service_id, cpu_millis: '500', memory_gbs: '2' }),
      store.refusal('set-ha', { service_id, replica_count: 1 }),
      store.refusal('update-password', { service_id, password: 'p' }),
      store.refusal('enable-pooler', { service_id }),
      store.refusal('create-replica', { service_id, ...replica }),
    ]
    const refused = { status: 409, message: expect.stringContaining(reason) }
    expect(changes).toEqual(changes.map(() => refused))
    const stopRefused = { status: stopStatus, message: expect.stringContaining(stopReason) }
    expect(store.refusal('stop-service', { service_id })).toEqual(stopRefused)
  })

  test('starting a running service, forking a missing one', () => {
    const store = new VirtualStore()
    expect(store.refusal('start-service', { service_id: store.readyService() })).toMatchObject({
      status: 400,
      message: expect.stringContaining('already running'),
    })
    const { service_id } = store.call('create-service', { name: 'new' })
    expect(store.refusal('fork-service', { service_id, fork_strategy: 'NOW' })).toMatchObject({
      status: 409,
      message: expect.stringContaining('must be running or paused'),
    })
  })
})

test('deleting takes the replica sets along, and can be asked for again', () => {
  const { store, service_id } = readyStore()
  const { id } = store.call('create-replica', { service_id, ...replica })
  store.call('delete-service', { service_id })
  store.call('delete-service', { service_id })
  expect(store.call('list-replicas', { service_id })[0]?.status).toBe('deleting')
  store.pass(deleteAfter)
  expect(store.refusal('get-service', { service_id }).status).toBe(404)
  expect(store.refusal('get-service', { service_id: id }).status).toBe(404)
  expect(store.refusal('delete-service', { service_id }).status).toBe(404)
  expect(store.call('list-services', {})).toEqual([])
})

test('an unknown service is refused with the text that the official client expects', () => {
  const { message } = new VirtualStore().refusal('get-service', { service_id: 'nope' })
  expect(message).toBe('no service with that id exists')
})

test('the log is newest first, in pages, filtered', () => {
  const { store, service_id } = readyStore()
  const databaseLog = Array.from({ length: 1100 }, (_, index) => ({
    at: store.now - Math.floor(index / 300),
    severity: index % 2 ? 'ERROR' : 'LOG',
    message: `line ${index}`,
  }))
  const lines: string[] = []
  let cursor: string | undefined
  do {
    const page = store.call('get-service-logs', { service_id, cursor, search: ['LINE'] }, { databaseLog })
    lines.push(...(page.entries ?? []).map(entry => entry.message ?? ''))
    cursor = page.last_cursor
  } while (cursor !== undefined)
  expect(lines).toEqual(databaseLog.map(line => line.message))
  const errors = store.call('get-service-logs', { service_id, severities: ['error'] }, { databaseLog })
  expect(new Set(errors.entries?.map(entry => entry.severity))).toEqual(new Set(['ERROR']))
  expect(store.refusal('get-service-logs', { service_id, cursor: 'x' }).status).toBe(400)
})
