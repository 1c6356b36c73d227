/** Tests poolers, VPCs and peerings. */
import { describe, expect, test } from 'vitest'
import { type Endpoint, parameterNames } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import { requiredFields } from '../../../tools/reference/example-values.ts'
import { network, peer, readyStore, replica, timing, VirtualStore } from '../support/virtual-store.ts'

const { changeAfter, vpcBusyFor, peeringAfter } = timing

const onVpcs = Object.entries<Endpoint>(endpoints).filter(([, row]) => parameterNames(row).includes('vpc_id'))

test.each(onVpcs)('%s waits if the emulator refuses it for a VPC that is being created', (name, row) => {
  const store = new VirtualStore()
  const ids = { service_id: store.readyService(), peering_id: '8' }
  const { id: vpc_id } = store.call('create-vpc', network)
  const given = { ...requiredFields(row), ...ids, vpc_id }
  const { message = '' } = store.refusal(name as EndpointName, given as never)
  const isRefused = message.includes('CREATING')
  const reason = 'state the record in `after`, in the row of src/api/'
  expect(row.after?.goal.record, reason).toBe(isRefused ? 'vpc' : undefined)
})

describe('poolers', () => {
  test('of a service: the endpoint appears and disappears shortly after', () => {
    const { store, service_id } = readyStore()
    const pooler = () => store.service(service_id).connection_pooler
    store.call('enable-pooler', { service_id })
    expect(pooler()).toBe(undefined)
    store.pass(changeAfter)
    expect(pooler()?.endpoint).toEqual({ host: `${service_id}.pooler.invalid`, port: 6432 })
    store.call('enable-pooler', { service_id })
    store.call('disable-pooler', { service_id })
    expect(store.refusal('enable-pooler', { service_id }).status).toBe(409)
    store.pass(changeAfter)
    expect(pooler()).toBe(undefined)
    store.call('disable-pooler', { service_id })
  })

  test('of a replica set', () => {
    const { store, service_id } = readyStore()
    const { id } = store.call('create-replica', { service_id, ...replica })
    const replicaSet = { service_id, replica_set_id: id }
    expect(store.refusal('enable-replica-pooler', replicaSet).status).toBe(409)
    store.pass(timing.readyAfter)
    store.call('enable-replica-pooler', replicaSet)
    store.pass(changeAfter)
    expect(store.call('list-replicas', { service_id })[0]?.connection_pooler?.endpoint?.host).toBe(
      `${id}.pooler.invalid`,
    )
    store.call('disable-replica-pooler', replicaSet)
    store.pass(changeAfter)
    expect(store.call('list-replicas', { service_id })[0]).not.toHaveProperty('connection_pooler')
  })
})

describe('VPCs', () => {
  test('a VPC is CREATING, then CREATED with its id at the provider, then DELETING, then gone', () => {
    const store = new VirtualStore()
    const made = store.reply('create-vpc', network)
    expect(made).toMatchObject({ status: 202, body: { ...network, status: 'CREATING' } })
    expect(made.body).not.toHaveProperty('provisioned_id')
    const [{ id: vpc_id = '' } = {}] = store.call('list-vpcs', {})
    store.pass(changeAfter)
    const created = { status: 'CREATED', provisioned_id: expect.stringMatching(/^vpc-[0-9a-f]{17}$/) }
    expect(store.call('get-vpc', { vpc_id })).toMatchObject(created)
    expect(store.reply('delete-vpc', { vpc_id }).status).toBe(202)
    expect(store.call('list-vpcs', {})).toMatchObject([{ id: vpc_id, status: 'DELETING' }])
    store.pass(timing.deleteAfter)
    expect(store.refusal('get-vpc', { vpc_id }).status).toBe(404)
  })

  test('a VPC that is CREATING or DELETING cannot be used', () => {
    const { store, service_id } = readyStore()
    const { id: vpc_id } = store.call('create-vpc', network)
    const uses = () => [
      store.refusal('attach-vpc', { service_id, vpc_id }).message,
      store.refusal('create-peering', { vpc_id, ...peer }).message,
    ]
    for (const message of uses()) expect(message).toContain('is CREATING; wait until it is CREATED')
    expect(store.refusal('delete-vpc', { vpc_id }).message).toContain('already being updated')
    store.pass(changeAfter)
    store.call('delete-vpc', { vpc_id })
    for (const message of uses()) expect(message).toContain('is DELETING')
    expect(store.refusal('delete-vpc', { vpc_id }).message).toContain('is being deleted')
  })

  test('attaching changes the address of the service, detaching restores it', () => {
    const { store, service_id } = readyStore()
    const direct = store.service(service_id).endpoint
    const vpc_id = store.readyVpc()
    store.call('attach-vpc', { service_id, vpc_id })
    expect(store.service(service_id)).toMatchObject({ endpoint: direct })
    store.pass(changeAfter)
    const inVpc = { host: `${service_id}.vpc.invalid`, port: 6432 }
    expect(store.service(service_id)).toMatchObject({ endpoint: inVpc, vpcEndpoint: { ...inVpc, vpc_id } })
    store.call('detach-vpc', { service_id, vpc_id })
    store.pass(changeAfter)
    expect(store.service(service_id).endpoint).toEqual(direct)
    expect(store.service(service_id)).not.toHaveProperty('vpcEndpoint')
  })

  test('invalid attaching and detaching are refused', () => {
    const { store, service_id } = readyStore()
    const vpc_id = store.readyVpc()
    const elsewhere = store.readyVpc({ region_code: 'eu-west-1' })
    expect(store.refusal('attach-vpc', { service_id, vpc_id: '1' }).status).toBe(404)
    expect(store.refusal('attach-vpc', { service_id, vpc_id: elsewhere }).status).toBe(400)
    expect(store.refusal('detach-vpc', { service_id, vpc_id }).status).toBe(409)
    store.call('attach-vpc', { service_id, vpc_id })
    expect(store.refusal('detach-vpc', { service_id, vpc_id }).message).toContain('still being attached')
    store.pass(changeAfter)
    expect(store.refusal('attach-vpc', { service_id, vpc_id }).message).toContain('already attached')
  })

  test('a VPC in use is not deleted, nor one that a service has just left', () => {
    const { store, service_id } = readyStore()
    const vpc_id = store.readyVpc()
    const remove = () => store.refusal('delete-vpc', { vpc_id })
    store.call('attach-vpc', { service_id, vpc_id })
    expect(remove()).toMatchObject({ status: 409, message: expect.stringContaining('attached') })
    store.pass(changeAfter)
    store.call('detach-vpc', { service_id, vpc_id })
    const busy = { status: 409, message: expect.stringContaining('already being updated') }
    expect(remove()).toMatchObject(busy)
    store.pass(changeAfter + vpcBusyFor - 1)
    expect(remove()).toMatchObject(busy)
    store.pass(1)
    expect(remove().status).toBe(202)
    store.pass(timing.deleteAfter)
    expect(store.refusal('get-vpc', { vpc_id }).status).toBe(404)
  })

  test('deleting an attached service leaves the VPC busy for a while, at every read', () => {
    const { store, service_id } = readyStore()
    const vpc_id = store.readyVpc()
    store.call('attach-vpc', { service_id, vpc_id })
    store.pass(changeAfter)
    store.call('delete-service', { service_id })
    store.pass(timing.deleteAfter + vpcBusyFor - 1)
    expect(store.refusal('delete-vpc', { vpc_id }).message).toContain('already being updated')
    store.pass(1)
    store.call('delete-vpc', { vpc_id })
  })

  test('a VPC with peerings is not deleted', () => {
    const store = new VirtualStore()
    const vpc_id = store.readyVpc()
    const { id: peering_id } = store.call('create-peering', { vpc_id, ...peer })
    expect(store.refusal('delete-vpc', { vpc_id }).message).toContain('peerings')
    store.call('delete-peering', { vpc_id, peering_id })
    expect(store.refusal('get-peering', { vpc_id, peering_id }).status).toBe(404)
    store.call('delete-vpc', { vpc_id })
  })

  const accepted = { status: 'active', provisioned_id: expect.stringMatching(/^pcx-/) }
  const pending = { status: 'PENDING' }
  const failed = { status: 'INVALID', error_message: expect.any(String) }
  test.each([
    ['accepted', '123456789012', accepted],
    ['pending', '123456789012', pending],
    ['failed', '123456789012', failed],
    ['accepted', '000000000000', pending],
    ['accepted', '999999999999', failed],
  ] as const)('peerings that are %s: with account %s', (peerings, peer_account_id, outcome) => {
    const store = new VirtualStore({ peerings })
    const vpc_id = store.readyVpc()
    const asked = { ...peer, peer_account_id }
    const { id: peering_id } = store.call('create-peering', { vpc_id, ...asked })
    const read = () => store.call('get-peering', { vpc_id, peering_id })
    store.pass(peeringAfter - 1)
    expect(read()).toEqual({ id: peering_id, ...asked, ...pending })
    store.pass(1)
    expect(read()).toEqual({ id: peering_id, ...asked, ...outcome })
  })
})
