/** Tests the schemas of records. */
import { describe, expect, it, test } from 'vitest'
import * as z from 'zod/mini'
import * as records from '#api/records'
import { description } from '../support/api-description.ts'
import { readRecordsSection } from '../support/contract.ts'

/** Decodes a JSON answer of a server. */
const decode = <Schema extends z.ZodMiniType>(schema: Schema, json: unknown) =>
  schema.parse(JSON.parse(typeof json === 'string' ? json : JSON.stringify(json))) as z.output<Schema>

const { Service, ReadReplicaSet, Vpc, Peering, AuthInfo } = records

describe('a service', () => {
  test.each<[string, object, object]>([
    ['needs nothing but its id', {}, {}],
    ['may have fields that nobody knows yet', { tags: ['a'], costs: null }, {}],
    ['may have an unknown status', { status: 'HIBERNATING' }, { status: 'HIBERNATING' }],
    ['may have an unknown type', { service_type: 'TIMESCALEDB' }, { service_type: 'TIMESCALEDB' }],
    [
      'may have null for what is absent',
      { name: null, endpoint: null, resources: null, metadata: null, ha_replicas: null, paused: null },
      {},
    ],
    ['may have null deep inside', { resources: [{ id: null, spec: null }] }, { resources: [{}] }],
    ['may have null in its metadata', { metadata: { environment: null } }, { metadata: {} }],
    ['has a VPC endpoint in the newer spelling', { vpc_endpoint: { host: 'h', port: 1 } }, vpcAt('h')],
    [
      'has a VPC endpoint in both spellings',
      { vpc_endpoint: { host: 'new', port: 1 }, vpcEndpoint: { host: 'old', port: 1 } },
      vpcAt('old'),
    ],
    [
      'has a VPC endpoint in the newer spelling beside null in the older',
      { vpcEndpoint: null, vpc_endpoint: { host: 'new', port: 1 } },
      vpcAt('new'),
    ],
    ['has no endpoint while only the host is known', { endpoint: { host: 'h' } }, {}],
    ['has no endpoint while only the port is known', { endpoint: { port: 5432 } }, {}],
    ['has no endpoint while its parts are null', { endpoint: { host: null, port: null } }, {}],
    ['has no endpoint while its parts are empty', { endpoint: { host: '', port: 0 } }, {}],
    ['may have digits for a port', { endpoint: { host: 'h', port: '5432' } }, at('h')],
    [
      'may have digits for sizes',
      { resources: [{ spec: { cpu_millis: '500', memory_gbs: '2' } }] },
      { resources: [{ spec: { cpu_millis: 500, memory_gbs: 2 } }] },
    ],
    [
      'may have a number for the id of its VPC',
      { vpcEndpoint: { host: 'h', port: 1, vpc_id: 42 } },
      { vpcEndpoint: { host: 'h', port: 1, vpc_id: '42' } },
    ],
    [
      'may be in a VPC without an address',
      { vpcEndpoint: { vpc_id: '7', host: null, private: true } },
      { vpcEndpoint: { vpc_id: '7', private: true } },
    ],
    ['may be in a VPC with any address', { vpcEndpoint: { host: 7, port: {} } }, { vpcEndpoint: {} }],
    ['has no pooler where its endpoint is null', { connection_pooler: { endpoint: null } }, pooler({})],
  ])('%s', (_, sent, expected) => {
    const service = decode(Service, { service_id: 's1', ...sent })
    // A field with the value undefined counts as missing.
    const { vpc_endpoint: _newer, ...read } = JSON.parse(JSON.stringify(service))
    expect(read).toEqual({ service_id: 's1', ...expected })
  })

  test.each<[string, unknown]>([
    ['service_id', {}],
    ['service_id', { service_id: null }],
    ['service_id', { service_id: ['a'] }],
    ['name', { service_id: 's1', name: 7 }],
    ['endpoint.port', { service_id: 's1', endpoint: { host: 'h', port: 'x' } }],
    ['endpoint.port', { service_id: 's1', endpoint: { host: 'h', port: 70_000 } }],
    ['endpoint.port', { service_id: 's1', endpoint: { host: 'h', port: -1 } }],
    ['endpoint.port', { service_id: 's1', endpoint: { host: 'h', port: 1e10 } }],
    ['resources', { service_id: 's1', resources: {} }],
    ['', 'text'],
    ['', null],
    ['', []],
  ])('is unreadable if "%s" is wrong: %j', (field, sent) => {
    const { error } = Service.safeParse(sent)
    expect(error?.issues[0]?.path.join('.')).toBe(field)
  })
})

function at(host: string) {
  return { endpoint: { host, port: 5432 } }
}

function vpcAt(host: string) {
  return { vpcEndpoint: { host, port: 1 } }
}

function pooler(connection_pooler: object) {
  return { connection_pooler }
}

test.each<[string, z.ZodMiniType, unknown, unknown]>([
  ['a replica set with digits', ReadReplicaSet, { id: 'r', nodes: '2' }, { id: 'r', nodes: 2 }],
  ['a set in an unknown status', ReadReplicaSet, { id: 'r', status: 'idle' }, { id: 'r', status: 'idle' }],
  ['a VPC whose id is a number', Vpc, { id: 42, name: 'net' }, { id: '42', name: 'net' }],
  ['a VPC in other fields', Vpc, { id: '7', name: { en: 'net' }, zone: 1 }, { id: '7', zone: 1 }],
  ['a peering that is not provisioned', Peering, { id: 7, provisioned_id: null }, { id: '7' }],
  ['a peering in free words', Peering, { id: '7', status: 'Waiting' }, { id: '7', status: 'Waiting' }],
  ['a list of VPCs', records.Vpcs, [{ id: 1 }, { id: '2' }], [{ id: '1' }, { id: '2' }]],
  ['a log without entries', records.ServiceLogs, { logs: ['a'], entries: null }, { logs: ['a'] }],
  ['an answer without message', records.ActionResult, { message: null }, {}],
])('%s is readable', (_, schema, sent, expected) => {
  expect(decode(schema, sent)).toEqual(expected)
})

test.each<[string, z.ZodMiniType, unknown]>([
  ['a VPC', Vpc, { name: 'net' }],
  ['a peering', Peering, { peer_vpc_id: 'vpc-1' }],
  ['a replica set', ReadReplicaSet, { name: 'reader' }],
  ['a VPC whose id is a fraction', Vpc, { id: 1.5 }],
])('%s is unreadable without its id', (_, schema, sent) => {
  expect(schema.safeParse(sent).error?.issues[0]?.path).toEqual(['id'])
})

describe('the details of the API key', () => {
  const key = { public_key: 'k', project: { id: 'p1', name: 'shop' } }

  test.each<[string, object, string | undefined]>([
    ['in the older spelling', { type: 'apiKey', apiKey: key }, 'p1'],
    ['in the newer spelling', { type: 'apiKey', api_key: key }, 'p1'],
    ['in both', { apiKey: key, api_key: { ...key, project: { id: 'other' } } }, 'p1'],
    ['in the newer spelling beside null', { apiKey: null, api_key: key }, 'p1'],
    ['in neither', { type: 'apiKey' }, undefined],
    ['as a person without a project', { type: 'oauth', oauth: { user: { id: '7', name: 'A' } } }, undefined],
    ['without a project', { apiKey: { public_key: 'k', project: null } }, undefined],
  ])('are readable %s', (_, sent, projectId) => {
    expect(decode(AuthInfo, sent).apiKey?.project?.id).toBe(projectId)
  })
})

/** The fields of the objects in a JSON schema, at any depth. */
function fieldsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === 'properties' ? Object.keys(value) : []),
    ...fieldsIn(value),
  ])
}

describe('docs/internals/api.md, "Records"', () => {
  const described = readRecordsSection()
  const named = Object.entries(records).flatMap(([name, schema]): [string, z.ZodMiniType][] =>
    /^[A-Z]/.test(name) && schema instanceof z.ZodMiniType ? [[name, schema]] : [],
  )
  const isList = (name: string) => named.some(([other]) => name === `${other}s`)

  test.each(named.filter(([name]) => !isList(name)))('describes %s with its fields', (name, schema) => {
    const text = described.get(name)
    expect(text).toBeDefined()
    const fields = fieldsIn(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))
    // "Reading tolerantly" describes the newer names.
    const older = fields.filter(field => !['vpc_endpoint', 'api_key'].includes(field))
    expect(older.filter(field => !new RegExp(`\\b${field}\\b`).test(text ?? ''))).toEqual([])
  })

  it('describes no other record', () => {
    const known = named.map(([name]) => name)
    expect([...described.keys()].filter(name => !known.includes(name))).toEqual([])
  })
})

describe('the API description of the emulator', () => {
  const { schemas } = description.components as { schemas: Record<string, DescribedRecord> }

  test.each([...readRecordsSection()])('knows the values and the missing fields of %s', (name, text) => {
    const { properties = {}, required } = schemas[name] ?? {}
    for (const [, field = '', values = ''] of text.matchAll(/`(\w+)\??`\s\((`\w+`[^)]*|date and time)\)/g)) {
      const words = [...values.matchAll(/`(\w+)`/g)].map(([, word]) => (word === 'null' ? null : word))
      const fact = words.length > 0 ? { enum: expect.arrayContaining(words) } : { format: 'date-time' }
      expect({ [field]: properties[field] }).toMatchObject({ [field]: fact })
    }
    const missing = Object.keys(properties).filter(field => !required?.includes(field))
    const older = missing.filter(field => !['vpc_endpoint', 'api_key', 'lastCursor'].includes(field))
    expect(older.filter(field => !text.includes(`\`${field}?`))).toEqual([])
  })
})

interface DescribedRecord {
  properties?: Record<string, object>
  required?: string[]
}
