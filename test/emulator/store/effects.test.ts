/** Tests the effects that the store requests from databases. */
import { expect, test } from 'vitest'
import { address, replica, timing, VirtualStore } from '../support/virtual-store.ts'

const withDatabases = () => new VirtualStore({ databases: 'real' })

test('READY needs both: the time and the database', () => {
  const store = withDatabases()
  const { body, effects } = store.accepted('create-service', { name: 'shop' })
  const { service_id, initial_password } = body
  expect(effects).toEqual([
    {
      id: expect.any(String),
      kind: 'create-service',
      serviceId: service_id,
      password: initial_password,
      reserved: undefined,
      sizes: { cpuMillis: 500, memoryGbs: 2 },
    },
  ])
  store.pass(timing.readyAfter * 10)
  expect(store.service(service_id).status).toBe('CONFIGURING')
  store.complete(effects)
  expect(store.service(service_id)).toMatchObject({ status: 'READY', endpoint: address })

  const soon = store.accepted('create-service', { name: 'soon' })
  store.complete(soon.effects)
  expect(store.service(soon.body.service_id).status).toBe('QUEUED')
})

test.each(['create-service', 'fork-service'] as const)('%s answers with the reserved address', operation => {
  const store = withDatabases()
  const service_id = store.readyService()
  const params = operation === 'create-service' ? { name: 'child' } : { service_id, fork_strategy: 'NOW' }
  const reserved = { host: '127.0.0.1', port: 5434 }
  const answer = store.reply(operation, params as never, { reserved })
  expect(answer.body).toMatchObject({ endpoint: reserved })
  expect(answer.effects).toMatchObject([{ kind: operation, reserved }])
})

test('a fork has the data of the requested time', () => {
  const store = withDatabases()
  const service_id = store.readyService()
  const target_time = new Date(store.now).toISOString()
  const asked = { service_id, fork_strategy: 'PITR', target_time } as const
  const { effects } = store.accepted('fork-service', asked, { lastSnapshot: () => store.now })
  expect(effects).toMatchObject([{ point: { strategy: 'PITR', targetTime: new Date(target_time) } }])
})

test('a database that cannot be created makes the service UNSTABLE, with a line in its log', () => {
  const store = withDatabases()
  const { body, effects } = store.accepted('create-service', { name: 'shop' })
  const { service_id } = body
  store.store.failed(effects[0]?.id ?? '', 'the disk is full')
  store.pass(timing.readyAfter)
  expect(store.service(service_id).status).toBe('UNSTABLE')
  expect(store.service(service_id)).not.toHaveProperty('endpoint')
  const [line] = store.call('get-service-logs', { service_id }).entries ?? []
  expect(line).toMatchObject({ severity: 'ERROR', message: expect.stringContaining('the disk is full') })
  store.complete(store.accepted('delete-service', { service_id }).effects)
  store.pass(timing.deleteAfter)
  expect(store.refusal('get-service', { service_id }).status).toBe(404)
})

test('a service is gone when its files are', () => {
  const store = withDatabases()
  const service_id = store.readyService()
  store.complete(store.accepted('create-replica', { service_id, ...replica }).effects)
  store.complete(store.accepted('enable-pooler', { service_id }).effects)
  store.pass(timing.readyAfter)
  const { effects } = store.accepted('delete-service', { service_id })
  expect(effects.map(effect => effect.kind)).toEqual(['close-forwarder', 'delete-replica', 'delete-service'])
  store.pass(timing.deleteAfter)
  store.complete(effects.slice(0, 2))
  expect(store.service(service_id).status).toBe('DELETING')
  store.complete(effects.slice(2))
  expect(store.refusal('get-service', { service_id }).status).toBe(404)
})

test('a late failure does not delay a deletion', () => {
  const store = withDatabases()
  const { body, effects } = store.accepted('create-service', { name: 'shop' })
  const { service_id } = body
  const deletion = store.accepted('delete-service', { service_id })
  store.store.failed(effects[0]?.id ?? '', 'too late')
  expect(store.service(service_id).status).toBe('DELETING')
  store.complete(deletion.effects)
  store.pass(timing.deleteAfter)
  expect(store.refusal('get-service', { service_id }).status).toBe(404)
})

test('a replica set that cannot be created is marked as failed; a missing pooler does not change its service', () => {
  const store = withDatabases()
  const service_id = store.readyService()
  const created = store.accepted('create-replica', { service_id, ...replica })
  store.store.failed(created.effects[0]?.id ?? '', 'no room')
  expect(store.call('list-replicas', { service_id })[0]?.status).toBe('error')
  expect(store.service(service_id).status).toBe('READY')
  const pooler = store.accepted('enable-pooler', { service_id })
  store.store.failed(pooler.effects[0]?.id ?? '', 'no port')
  expect(store.service(service_id)).toMatchObject({ status: 'READY' })
  expect(store.service(service_id)).not.toHaveProperty('connection_pooler')
  expect(store.accepted('enable-pooler', { service_id }).effects).toHaveLength(1)
})

test('reports about unknown effects are ignored', () => {
  const { store } = withDatabases()
  const report = () => {
    store.completed('effect-99')
    store.failed('effect-99', 'unknown')
  }
  expect(report).not.toThrow()
})
