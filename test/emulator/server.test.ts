import { afterEach, expect, test } from 'vitest'
import { type EndpointName, endpoints } from '../../src/api/endpoints.ts'
import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/emulator/server.ts'
import { callOver } from './support/http-caller.ts'

const running: Emulator[] = []

async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options)
  running.push(emulator)
  return emulator
}

afterEach(async () => {
  await Promise.all(running.splice(0).map(emulator => emulator.stop()))
})

/** An emulator in virtual time: each request comes an hour after the one before, when all work is over. */
const hourly = () => {
  let now = Date.parse('2026-01-31T12:00:00Z')
  const onRequest = () => {
    now += 3_600_000
  }
  return { now: () => now, onRequest }
}

test('every endpoint of the contract answers with its status and a body that its schema reads', async () => {
  const emulator = await start(hourly())
  const called = new Set<EndpointName>()
  const call = async (operation: EndpointName, params: Record<string, unknown> = {}) => {
    const { status, body } = await callOver(emulator, operation, params)
    expect({ operation, status, body }).toMatchObject({ operation, status: endpoints[operation].status })
    called.add(operation)
    const row = endpoints[operation]
    return 'response' in row && row.response ? row.response.parse(body) : expect(body).toBe(undefined)
  }
  const id = async (operation: EndpointName, params: Record<string, unknown>) => {
    const record = (await call(operation, params)) as { id?: string; service_id?: string }
    return record.service_id ?? record.id
  }

  await call('get-auth-info')
  await call('identify-user', { properties: { plan: 'free' } })
  await call('track-event', { event: 'tried', properties: {} })
  await call('list-projects')
  const service_id = await id('create-service', { name: 'shop', addons: ['time-series'] })
  const service = { service_id }
  await call('list-services')
  await call('get-service', service)
  await call('rename-service', { ...service, name: 'shop-2' })
  await call('set-environment', { ...service, environment: 'PROD' })
  await call('update-password', { ...service, password: 'long enough' })
  await call('resize-service', { ...service, cpu_millis: '1000', memory_gbs: '4' })
  await call('set-ha', { ...service, replica_count: 1 })
  await call('enable-pooler', service)
  await call('disable-pooler', service)
  await call('get-service-logs', service)
  await call('fork-service', { ...service, fork_strategy: 'LAST_SNAPSHOT' })
  const replica_set_id = await id('create-replica', {
    ...service,
    name: 'r',
    nodes: 1,
    cpu_millis: 500,
    memory_gbs: 2,
  })
  const replicaSet = { ...service, replica_set_id }
  await call('list-replicas', service)
  await call('resize-replica', { ...replicaSet, cpu_millis: '1000', memory_gbs: '4' })
  await call('enable-replica-pooler', replicaSet)
  await call('disable-replica-pooler', replicaSet)
  await call('set-replica-environment', { ...replicaSet, environment: 'PROD' })
  await call('delete-replica', replicaSet)
  const vpc_id = await id('create-vpc', { name: 'net', cidr: '10.0.0.0/16', region_code: 'us-east-1' })
  const vpc = { vpc_id }
  await call('list-vpcs')
  await call('get-vpc', vpc)
  await call('rename-vpc', { ...vpc, name: 'net-2' })
  const peer = { peer_account_id: '123456789012', peer_region_code: 'us-east-1', peer_vpc_id: 'vpc-1' }
  const peering_id = await id('create-peering', { ...vpc, ...peer })
  await call('list-peerings', vpc)
  await call('get-peering', { ...vpc, peering_id })
  await call('delete-peering', { ...vpc, peering_id })
  await call('attach-vpc', { ...service, ...vpc })
  await call('detach-vpc', { ...service, ...vpc })
  await call('get-service', service)
  await call('delete-vpc', vpc)
  await call('stop-service', service)
  await call('start-service', service)
  await call('delete-service', service)

  expect([...called].sort()).toEqual(Object.keys(endpoints).sort())
})
