/** Tests the goals that end the waits of operations. */
import { describe, expect, it, test } from 'vitest'
import type { Endpoint } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import { Peering, ReadReplicaSet, Service, serviceStatuses, Vpc } from '#api/records'
import type { AnyRecord } from '#api/resource'
import { optionalFields } from '../../tools/reference/example-values.ts'
import { playEndpoint } from '../../tools/reference/play-endpoint.ts'
import { contract } from '../support/contract.ts'
import { endpointOf } from '../support/endpoint-of.ts'

const schemas = { service: Service, replica_set: ReadReplicaSet, vpc: Vpc, peering: Peering }
const goalOf = (operation: string) => endpointOf(operation).goal

/** The verdict on a record as a server would send it. */
function judge(operation: EndpointName, sent: object, asked: object = {}) {
  const goal = goalOf(operation)
  if (goal === undefined) throw new Error(`${operation} waits for nothing`)
  const record = schemas[goal.record].parse({ service_id: 's1', id: 'i1', ...sent })
  return goal.evaluate(record, asked)
}

describe.each(contract)('$operation', ({ operation, resource, minutes, end }) => {
  test(minutes === undefined ? 'waits for nothing' : `waits for its ${resource}, ${minutes} min`, () => {
    const goal = goalOf(operation)
    expect(goal?.minutes).toBe(minutes)
    if (goal === undefined) return
    expect(goal.record).toBe(resource)
    expect(goal.until).toBe(end === 'gone' ? 'gone' : 'present')
    expect(goal.serves ?? false).toBe(end === 'connects')
  })
})

const address = { host: 'h.example', port: 5432 }
const ready = { status: 'READY', endpoint: address }
const sized = (cpu_millis: number, memory_gbs: number) => ({
  resources: [{ spec: { cpu_millis, memory_gbs } }],
})
/** Several resources of a service, each with its CPU. */
const spread = (...cpus: number[]) => ({
  resources: cpus.map(cpu_millis => ({ spec: { cpu_millis, memory_gbs: 4 } })),
})
const apart = [{ spec: { memory_gbs: 4 } }, { spec: { cpu_millis: 1000 } }, { spec: { type: 'gp3' } }, {}]
const sizes = { cpu_millis: '1000', memory_gbs: '4' }
const replicas = (replica_count?: number, sync_replica_count?: number) => ({
  ha_replicas: { replica_count, sync_replica_count },
})
const active = { status: 'active', endpoint: address }
const attachedTo = (vpc_id?: string) => ({ vpcEndpoint: { ...address, vpc_id } })
/** Inner fields as P does not have them. */
const strange = { host: ['a.example'], port: 'none', vpc_id: { cloud: 'vpc-1' }, link: 'x' }
const pooled = { connection_pooler: { endpoint: address } }
const tagged = (environment: string) => ({ metadata: { environment } })

type Case = [saying: string, record: object, asked: object, verdict: 'settled' | 'pending']

const readyCases: Case[] = [
  ['READY with an endpoint', ready, {}, 'settled'],
  ['READY without an endpoint', { status: 'READY' }, {}, 'pending'],
  ['READY with an address in a VPC only', { status: 'READY', ...attachedTo('7') }, {}, 'settled'],
  ['READY in a VPC that tells nothing', { status: 'READY', vpcEndpoint: {} }, {}, 'settled'],
  ['READY with half an endpoint', { status: 'READY', endpoint: { host: 'h' } }, {}, 'pending'],
  ['not READY yet', { ...ready, status: 'CONFIGURING' }, {}, 'pending'],
  ['UNSTABLE, which passes', { ...ready, status: 'UNSTABLE' }, {}, 'pending'],
  ['in an unknown status', { ...ready, status: 'HIBERNATING' }, {}, 'pending'],
  ['without a status', { endpoint: address }, {}, 'pending'],
]

/** The verdicts on single records. */
const verdicts: Partial<Record<EndpointName, Case[]>> = {
  'create-service': readyCases,
  'fork-service': readyCases,
  'start-service': [...readyCases, ['RESUMING', { ...ready, status: 'RESUMING' }, {}, 'pending']],
  'stop-service': [
    ['PAUSED', { status: 'PAUSED' }, {}, 'settled'],
    ['PAUSING', { status: 'PAUSING' }, {}, 'pending'],
    ['READY still', ready, {}, 'pending'],
  ],
  'resize-service': [
    ['READY with the new sizes', { ...ready, ...sized(1000, 4) }, sizes, 'settled'],
    ['READY with the old sizes', { ...ready, ...sized(500, 2) }, sizes, 'pending'],
    ['READY with the new CPU only', { ...ready, ...sized(1000, 2) }, sizes, 'pending'],
    ['READY with the new memory only', { ...ready, ...sized(500, 4) }, sizes, 'pending'],
    ['OPTIMIZING with the new sizes', { status: 'OPTIMIZING', ...sized(1000, 4) }, sizes, 'pending'],
    ['READY without sizes', ready, sizes, 'pending'],
    ['READY with no resources', { ...ready, resources: [] }, sizes, 'pending'],
    ['READY with the new sizes in all resources', { ...ready, ...spread(1000, 1000) }, sizes, 'settled'],
    ['READY with the old sizes in the second resource', { ...ready, ...spread(1000, 500) }, sizes, 'pending'],
    ['READY with the old sizes in the first resource', { ...ready, ...spread(500, 1000) }, sizes, 'pending'],
    ['READY with CPU and memory apart', { ...ready, resources: apart }, sizes, 'settled'],
  ],
  'set-ha': [
    ['READY with the count asked for', { ...ready, ...replicas(2) }, { replica_count: 2 }, 'settled'],
    ['READY with the count from before', { ...ready, ...replicas(0) }, { replica_count: 2 }, 'pending'],
    ['UPGRADING with the count', { status: 'UPGRADING', ...replicas(2) }, { replica_count: 2 }, 'pending'],
    ['READY with one of two counts', { ...ready, ...replicas(2, 0) }, counts(2, 1), 'pending'],
    ['READY with the other of two counts', { ...ready, ...replicas(0, 1) }, counts(2, 1), 'pending'],
    ['READY with both counts', { ...ready, ...replicas(2, 1) }, counts(2, 1), 'settled'],
    ['READY with the sync count', { ...ready, ...replicas(9, 1) }, { sync_replica_count: 1 }, 'settled'],
    ['READY without counts where none were asked', ready, counts(0, 0), 'settled'],
    ['READY without counts where some were asked', ready, { replica_count: 1 }, 'pending'],
  ],
  'set-environment': [
    ['tagged as asked', tagged('PROD'), { environment: 'PROD' }, 'settled'],
    ['tagged as before', tagged('DEV'), { environment: 'PROD' }, 'pending'],
    ['not tagged', {}, { environment: 'DEV' }, 'pending'],
  ],
  'enable-data-tiering': [
    ['with data tiering', { ...ready, data_tiering: { enabled: true } }, {}, 'settled'],
    ['without data tiering', { ...ready, data_tiering: { enabled: false } }, {}, 'pending'],
    ['that does not show data tiering', ready, {}, 'pending'],
  ],
  'enable-pooler': [
    ['with a pooler', pooled, {}, 'settled'],
    ['without a pooler', ready, {}, 'pending'],
    ['with a pooler that has no address yet', { connection_pooler: { endpoint: null } }, {}, 'pending'],
  ],
  'disable-pooler': [
    ['without a pooler', ready, {}, 'settled'],
    ['with null for a pooler', { connection_pooler: null }, {}, 'settled'],
    ['with a pooler', pooled, {}, 'pending'],
  ],
  'attach-vpc': [
    ['in that VPC', attachedTo('7'), { vpc_id: '7' }, 'settled'],
    ['in a VPC that is not told', attachedTo(), { vpc_id: '7' }, 'settled'],
    ['in another VPC', attachedTo('8'), { vpc_id: '7' }, 'pending'],
    ['in no VPC', ready, { vpc_id: '7' }, 'pending'],
    ['with null for a VPC', { vpcEndpoint: null, vpc_endpoint: null }, { vpc_id: '7' }, 'pending'],
    ['in a VPC without an address', { vpcEndpoint: { vpc_id: '7' } }, { vpc_id: '7' }, 'settled'],
    ['in a VPC that tells nothing', { vpcEndpoint: {} }, { vpc_id: '7' }, 'settled'],
    ['in a VPC that tells other things', { vpcEndpoint: strange }, { vpc_id: '7' }, 'settled'],
    ['in that VPC, newer spelling', { vpc_endpoint: { ...address, vpc_id: 7 } }, { vpc_id: '7' }, 'settled'],
  ],
  'detach-vpc': [
    ['in no VPC', ready, { vpc_id: '7' }, 'settled'],
    ['in the VPC', attachedTo('7'), { vpc_id: '7' }, 'pending'],
    ['in the VPC, in the newer spelling', { vpc_endpoint: address }, { vpc_id: '7' }, 'pending'],
    ['in a VPC without an address', { vpcEndpoint: { vpc_id: '7' } }, { vpc_id: '7' }, 'pending'],
    ['in a VPC that tells nothing', { vpcEndpoint: {} }, { vpc_id: '7' }, 'pending'],
    ['in a VPC that tells other things', { vpc_endpoint: strange }, { vpc_id: '7' }, 'pending'],
    ['in another VPC by now', attachedTo('8'), { vpc_id: '7' }, 'settled'],
    ['with null for a VPC', { vpcEndpoint: null }, { vpc_id: '7' }, 'settled'],
  ],
  'create-vpc': [
    ['CREATED', { status: 'CREATED' }, {}, 'settled'],
    ['without a status', {}, {}, 'settled'],
    ['CREATING', { status: 'CREATING' }, {}, 'pending'],
    ['in status UNKNOWN', { status: 'UNKNOWN' }, {}, 'pending'],
    ['in an unknown status', { status: 'WARMING' }, {}, 'pending'],
  ],
  'create-replica': [
    ['active with an endpoint', active, {}, 'settled'],
    ['active without an endpoint', { status: 'active' }, {}, 'pending'],
    ['creating', { ...active, status: 'creating' }, {}, 'pending'],
    ['in an unknown status', { ...active, status: 'warming' }, {}, 'pending'],
  ],
  'resize-replica': [
    ['active with the new sizes', { ...active, cpu_millis: 1000, memory_gbs: 4 }, sizes, 'settled'],
    ['active with the old CPU', { ...active, cpu_millis: 500, memory_gbs: 4 }, sizes, 'pending'],
    ['active with the old memory', { ...active, cpu_millis: 1000, memory_gbs: 2 }, sizes, 'pending'],
    ['resizing with new sizes', { status: 'resizing', cpu_millis: 1000, memory_gbs: 4 }, sizes, 'pending'],
  ],
  'enable-replica-pooler': [
    ['with a pooler', pooled, {}, 'settled'],
    ['without a pooler', active, {}, 'pending'],
  ],
  'disable-replica-pooler': [
    ['without a pooler', active, {}, 'settled'],
    ['with a pooler', pooled, {}, 'pending'],
  ],
  'set-replica-environment': [
    ['tagged as asked', tagged('PROD'), { environment: 'PROD' }, 'settled'],
    ['tagged as before', tagged('DEV'), { environment: 'PROD' }, 'pending'],
  ],
  'create-peering': [
    ['ACTIVE and provisioned', { status: 'ACTIVE', provisioned_id: 'pcx-1' }, {}, 'settled'],
    ['active in small letters', { status: 'active', provisioned_id: 'pcx-1' }, {}, 'settled'],
    ['Approved in mixed letters', { status: 'Approved', provisioned_id: 'pcx-1' }, {}, 'settled'],
    ['active but not provisioned', { status: 'active' }, {}, 'pending'],
    ['provisioned but pending', { status: 'PENDING', provisioned_id: 'pcx-1' }, {}, 'pending'],
    ['without a status', { provisioned_id: 'pcx-1' }, {}, 'pending'],
    ['in unknown words', { status: 'waiting', provisioned_id: 'pcx-1' }, {}, 'pending'],
    ['connected', { status: ' Connected ', provisioned_id: 'pcx-1' }, {}, 'settled'],
    ['active with an empty provisioned_id', { status: 'active', provisioned_id: ' ' }, {}, 'pending'],
    ['with an empty error', { status: 'active', provisioned_id: 'pcx-1', error_message: '' }, {}, 'settled'],
  ],
}

function counts(replica_count: number, sync_replica_count: number) {
  return { replica_count, sync_replica_count }
}

const waitingForPresence = Object.entries<Endpoint>(endpoints)
  .filter(([, { goal }]) => goal?.until === 'present')
  .map(([name, row]) => ({ operation: name as EndpointName, kind: row.goal?.record }))

/** Plays a call with all fields that fit together. */
function play(operation: EndpointName) {
  const row = endpointOf(operation)
  return playEndpoint(operation, row.creates ? {} : optionalFields(row))
}

/** The verdict on the record after the work of a call, if its status were another one. */
function judgeIn(status: string, operation: EndpointName) {
  const { after, parameters } = play(operation)
  return goalOf(operation)?.evaluate({ ...after, status } as AnyRecord, parameters)
}

describe.each(waitingForPresence)('$operation', ({ operation }) => {
  it('is pending before the call, and settled after its work', () => {
    const { parameters, answer, before = answer, after } = play(operation)
    expect(goalOf(operation)?.evaluate(before as AnyRecord, parameters)).toBe('pending')
    expect(goalOf(operation)?.evaluate(after as AnyRecord, parameters)).toBe('settled')
  })

  it.each(verdicts[operation] ?? [])('judges a record %s', (_, record, asked, verdict) => {
    expect(judge(operation, record, asked)).toBe(verdict)
  })
})

const ofKind = (kind: string) => waitingForPresence.filter(wait => wait.kind === kind)

describe.each(ofKind('service'))('$operation', ({ operation }) => {
  it.each(['DELETING', 'DELETED'])('fails at once if the service is %s', status => {
    expect(judgeIn(status, operation)).toEqual({
      failed: `the service is ${status}, so it was deleted meanwhile`,
    })
  })

  it('fails in no other status', () => {
    const others = serviceStatuses.filter(status => !status.startsWith('DELET'))
    const verdictsOnOthers = others.map(status => judgeIn(status, operation))
    expect(verdictsOnOthers.every(verdict => verdict === 'settled' || verdict === 'pending')).toBe(true)
  })
})

describe.each(ofKind('replica_set'))('$operation', ({ operation }) => {
  it.each([
    ['deleting', 'the replica set is deleting, so it was deleted meanwhile'],
    ['error', 'the replica set is in status error'],
  ])('fails at once if the set is %s', (status, failed) => {
    expect(judgeIn(status, operation)).toEqual({ failed })
  })
})

describe('create-vpc', () => {
  it.each([
    ['ERROR', 'the VPC is in status ERROR'],
    ['DELETING', 'the VPC is DELETING, so it was deleted meanwhile'],
  ])('fails at once if the VPC is in status %s', (status, failed) => {
    expect(judge('create-vpc', { status })).toEqual({ failed })
  })
})

describe('create-peering', () => {
  const failed = ['INVALID', 'TIMEOUT', 'DISABLED', 'invalid', 'Timeout', 'Rejected', 'failed', 'EXPIRED']

  it.each(failed)('fails when %s', status => {
    const failed = `the peering is ${status}`
    expect(judge('create-peering', { status, provisioned_id: 'pcx-1' })).toEqual({ failed })
  })

  it('fails with the error of the peering, in every status', () => {
    const sent = { status: 'ACTIVE', provisioned_id: 'pcx-1', error_message: 'no such account' }
    expect(judge('create-peering', sent)).toEqual({ failed: 'the peering failed: no such account' })
  })

  it('names at the deadline the person who has to act', () => {
    expect(goalOf('create-peering')?.adviceAtDeadline).toContain('the owner of the peer VPC must accept')
  })
})

test('a deletion is pending while the record exists', () => {
  expect(judge('delete-service', { status: 'READY' })).toBe('pending')
  expect(judge('delete-service', { status: 'DELETED' })).toBe('pending')
  expect(judge('delete-replica', { status: 'error' })).toBe('pending')
})
