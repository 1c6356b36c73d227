/** Tests which fields of an answer survive decoding. */
import { describe, expect, it, test } from 'vitest'
import type * as z from 'zod/mini'
import * as records from '#api/records'

const endpoint = { host: 'a.example', port: 5432 }
const sizes = { cpu_millis: 500, memory_gbs: 2 }

const replicaSet = {
  id: 'r1',
  name: 'reader',
  status: 'active',
  nodes: 1,
  ...sizes,
  metadata: { environment: 'DEV' },
  endpoint,
  connection_pooler: { endpoint },
}

/** Each kind of answer with all the fields that the specification has. */
const whole: [string, z.ZodMiniType, unknown][] = [
  [
    'a service',
    records.Service,
    {
      service_id: 's1',
      project_id: 'p1',
      name: 'shop',
      region_code: 'us-east-1',
      service_type: 'POSTGRES',
      created: '2026-01-31T12:00:00Z',
      initial_password: 'hush',
      paused: false,
      status: 'READY',
      resources: [{ id: '1', spec: { ...sizes, volume_type: 'gp3' } }],
      metadata: { environment: 'DEV' },
      endpoint,
      forked_from: { project_id: 'p1', service_id: 'parent', is_standby: false },
      ha_replicas: { sync_replica_count: 1, replica_count: 2 },
      connection_pooler: { endpoint },
      read_replica_sets: [replicaSet],
    },
  ],
  ['a replica set', records.ReadReplicaSet, replicaSet],
  [
    'a peering',
    records.Peering,
    {
      id: '3',
      peer_account_id: '1',
      peer_region_code: 'us-east-1',
      peer_vpc_id: 'vpc-1',
      provisioned_id: 'pcx-1',
      status: 'active',
      error_message: 'none',
    },
  ],
  [
    'what a key is',
    records.AuthInfo,
    Object.fromEntries([
      ['type', 'apiKey'],
      ...['apiKey', 'api_key'].map(name => [
        name,
        {
          public_key: 'p',
          name: 'ci',
          created: '2026-01-31T12:00:00Z',
          project: { id: 'p1', name: 'shop', plan_type: 'FREE' },
          issuing_user: { id: 'u1', name: 'a', email: 'a@b.example' },
        },
      ]),
    ]),
  ],
  ['a list', records.Services, [{ service_id: 's1', status: 'READY' }, { service_id: 's2' }]],
  [
    'logs',
    records.ServiceLogs,
    {
      logs: ['a'],
      entries: [{ timestamp: '2026-01-31T12:00:00Z', message: 'a', severity: 'LOG' }],
      last_cursor: 'c',
    },
  ],
  ['a message', records.ActionResult, { message: 'done' }],
  ['a status', records.AnalyticsResult, { status: 'ok' }],
]

/** The value with an unknown field in each of its objects. */
function withStranger(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withStranger)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, inner]) => [name, withStranger(inner)])
  return Object.fromEntries([['stranger', { deep: 'x' }], ...fields, ['__proto__', 'x']])
}

describe.each(whole)('%s', (_, schema, value) => {
  it('keeps every field of the specification', () => {
    expect(schema.parse(value)).toEqual(value)
  })

  it('drops every other field, however deep', () => {
    expect(JSON.parse(JSON.stringify(schema.parse(withStranger(value))))).toEqual(value)
  })
})

test.each<[string, z.ZodMiniType, unknown, unknown]>([
  [
    'a newer spelling that is another thing',
    records.AuthInfo,
    { apiKey: { public_key: 'p' }, api_key: 'p:hush' },
    { apiKey: { public_key: 'p' } },
  ],
  [
    'an object where a newer spelling has a text',
    records.AuthInfo,
    { apiKey: {}, api_key: { name: { hush: 1 }, public_key: ['hush'] } },
    { apiKey: {} },
  ],
])('%s is omitted', (_, schema, value, known) => {
  expect(schema.parse(value)).toEqual(known)
})

describe('if the specification lists no fields', () => {
  const inVpc = { ...endpoint, vpc_id: '7', link: { id: 'x' } }
  const vpc = { id: '7', name: 'net', cidr: '10.0.0.0/16', region_code: 'us-east-1' }

  test.each<[string, z.ZodMiniType, unknown]>([
    ['a VPC', records.Vpc, { ...vpc, owner: { account: '1' } }],
    ['VPCs', records.Vpcs, [{ ...vpc, owner: { account: '1' } }]],
    ['the endpoint in a VPC', records.Service, { service_id: 's1', vpcEndpoint: inVpc }],
    ['it in both spellings', records.Service, { service_id: 's1', vpcEndpoint: inVpc, vpc_endpoint: inVpc }],
  ])('%s keeps unknown fields', (_, schema, value) => {
    expect(schema.parse(value)).toEqual(value)
  })
})

test('an unspecified value in a field stays unchanged', () => {
  const service = { service_id: 's1', metrics: { storage_mb: 1, tiers: ['a'] } }
  expect(records.Service.parse(service)).toEqual(service)
})
