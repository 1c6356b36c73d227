/** Tests the effects that the store requests from databases. */
import { expect, test } from 'vitest'
import type { Effect } from '../../../emulator/store/effect.ts'
import { timing, VirtualStore } from '../support/virtual-store.ts'

const address = { host: '127.0.0.1', port: 5433 }

const withDatabases = () => new VirtualStore({ databases: 'real' })

/** Reports effects as real, each with the address. */
function complete({ store }: VirtualStore, effects: Effect[]): void {
  for (const { id } of effects) store.completed(id, { address })
}

function readyService(store: VirtualStore): string {
  const { body, effects } = store.reply('create-service', { name: 'shop' })
  complete(store, effects)
  store.pass(timing.readyAfter)
  return (body as { service_id: string }).service_id
}

test('READY needs both: the time and the database', () => {
  const store = withDatabases()
  const { body, effects } = store.reply('create-service', { name: 'shop' })
  const { service_id, initial_password } = body as { service_id: string; initial_password: string }
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
  complete(store, effects)
  expect(store.service(service_id)).toMatchObject({ status: 'READY', endpoint: address })

  const soon = store.reply('create-service', { name: 'soon' })
  complete(store, soon.effects)
  expect(store.service((soon.body as { service_id: string }).service_id).status).toBe('QUEUED')
})

test.each(['create-service', 'fork-service'] as const)('%s answers with the reserved address', operation => {
  const store = withDatabases()
  const { body, effects } = store.reply('create-service', { name: 'parent' })
  complete(store, effects)
  store.pass(timing.readyAfter)
  const { service_id } = body as { service_id: string }
  const params = operation === 'create-service' ? { name: 'child' } : { service_id, fork_strategy: 'NOW' }
  const reserved = { host: '127.0.0.1', port: 5434 }
  const answer = store.reply(operation, params as never, { reserved })
  expect(answer.body).toMatchObject({ endpoint: reserved })
  expect(answer.effects).toMatchObject([{ kind: operation, reserved }])
})

test('a fork has the data of the requested time', () => {
  const store = withDatabases()
  const service_id = readyService(store)
  const target_time = new Date(store.now).toISOString()
  const asked = { service_id, fork_strategy: 'PITR', target_time } as const
  const { effects } = store.reply('fork-service', asked, { lastSnapshot: () => store.now })
  expect(effects).toMatchObject([{ point: { strategy: 'PITR', targetTime: new Date(target_time) } }])
})

test('a database that cannot be created makes the service UNSTABLE, with a line in its log', () => {
  const store = withDatabases()
  const { body, effects } = store.reply('create-service', { name: 'shop' })
  const { service_id } = body as { service_id: string }
  store.store.failed(effects[0]?.id ?? '', 'the disk is full')
  store.pass(timing.readyAfter)
  expect(store.service(service_id).status).toBe('UNSTABLE')
  expect(store.service(service_id)).not.toHaveProperty('endpoint')
  const [line] = store.call('get-service-logs', { service_id }).entries ?? []
  expect(line).toMatchObject({ severity: 'ERROR', message: expect.stringContaining('the disk is full') })
  complete(store, store.reply('delete-service', { service_id }).effects)
  store.pass(timing.deleteAfter)
  expect(store.refusal('get-service', { service_id }).status).toBe(404)
})

test('a service is gone when its files are', () => {
  const store = withDatabases()
  const service_id = readyService(store)
  const replica = store.reply('create-replica', {
    service_id,
    name: 'r',
    nodes: 1,
    cpu_millis: 500,
    memory_gbs: 2,
  })
  complete(store, replica.effects)
  complete(store, store.reply('enable-pooler', { service_id }).effects)
  store.pass(timing.readyAfter)
  const { effects } = store.reply('delete-service', { service_id })
  expect(effects.map(effect => effect.kind)).toEqual(['close-forwarder', 'delete-replica', 'delete-service'])
  store.pass(timing.deleteAfter)
  complete(store, effects.slice(0, 2))
  expect(store.service(service_id).status).toBe('DELETING')
  complete(store, effects.slice(2))
  expect(store.refusal('get-service', { service_id }).status).toBe(404)
})

test('a late failure does not delay a deletion', () => {
  const store = withDatabases()
  const { body, effects } = store.reply('create-service', { name: 'shop' })
  const { service_id } = body as { service_id: string }
  const deletion = store.reply('delete-service', { service_id })
  store.store.failed(effects[0]?.id ?? '', 'too late')
  expect(store.service(service_id).status).toBe('DELETING')
  complete(store, deletion.effects)
  store.pass(timing.deleteAfter)
  expect(store.refusal('get-service', { service_id }).status).toBe(404)
})

test('a replica set that cannot be created is marked as failed; a missing pooler does not change its service', () => {
  const store = withDatabases()
  const service_id = readyService(store)
  const replica = store.reply('create-replica', {
    service_id,
    name: 'r',
    nodes: 1,
    cpu_millis: 500,
    memory_gbs: 2,
  })
  store.store.failed(replica.effects[0]?.id ?? '', 'no room')
  expect(store.call('list-replicas', { service_id })[0]?.status).toBe('error')
  expect(store.service(service_id).status).toBe('READY')
  const pooler = store.reply('enable-pooler', { service_id })
  store.store.failed(pooler.effects[0]?.id ?? '', 'no port')
  expect(store.service(service_id)).toMatchObject({ status: 'READY' })
  expect(store.service(service_id)).not.toHaveProperty('connection_pooler')
  expect(store.reply('enable-pooler', { service_id }).effects).toHaveLength(1)
})

test('a failed password change leaves the service unchanged', () => {
  const store = withDatabases()
  const service_id = readyService(store)
  const { effects } = store.reply('update-password', { service_id, password: 'secret' })
  expect(effects).toMatchObject([{ kind: 'set-password', password: 'secret' }])
  store.store.failed(effects[0]?.id ?? '', 'no')
  expect(store.service(service_id).status).toBe('READY')
})

test('reports about unknown effects are ignored', () => {
  const { store } = withDatabases()
  const report = () => {
    store.completed('effect-99')
    store.failed('effect-99', 'unknown')
  }
  expect(report).not.toThrow()
})
