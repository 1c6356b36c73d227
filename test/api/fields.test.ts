/** Tests the schemas of request fields. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { Endpoint } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import { fieldInputs } from '#api/field-table'
import type { Input } from '#api/fields/input'

const replica = { name: 'reader', nodes: 1, cpu_millis: 500, memory_gbs: 2 }
const vpc = { name: 'net', cidr: '10.0.0.0/16', region_code: 'us-east-1' }

/** The first complaint of the schema for the operation's body or query; undefined if the schema accepts it. */
function complaint(operation: EndpointName, value: object): string | undefined {
  const row: Endpoint = endpoints[operation]
  const issue = (row.body ?? row.query)?.safeParse(value).error?.issues[0]
  return issue && `${issue.path.join('.')}: ${issue.message}`
}

describe.each<[EndpointName, object[]]>([
  [
    'create-service',
    [
      { name: 'a' },
      { name: 'a'.repeat(128) },
      { name: 'é 🐘' },
      { name: 'a', addons: [] },
      { name: 'a', addons: ['time-series', 'ai'] },
      { name: 'a', cpu_millis: 'shared', memory_gbs: 'shared' },
      { name: 'a', cpu_millis: '500', memory_gbs: '2', replica_count: 0, environment_tag: 'PROD' },
    ],
  ],
  ['resize-service', [{ cpu_millis: '500', memory_gbs: '2' }]],
  ['set-ha', [{ replica_count: 0 }, { sync_replica_count: 1 }, { replica_count: 2, sync_replica_count: 1 }]],
  [
    'fork-service',
    [
      { fork_strategy: 'NOW' },
      { fork_strategy: 'LAST_SNAPSHOT', name: 'copy', cpu_millis: 'shared' },
      { fork_strategy: 'PITR', target_time: '2026-01-31T12:00:00Z' },
      { fork_strategy: 'PITR', target_time: '2026-01-31T12:00:00.123+05:30' },
    ],
  ],
  ['create-replica', [replica, { ...replica, nodes: 10 }]],
  ['create-vpc', [vpc, { ...vpc, cidr: '192.168.1.0/24' }]],
  ['attach-vpc', [{ vpc_id: '1234' }, { vpc_id: 'vpc_a-1' }]],
  ['track-event', [{ event: 'deployed' }, { event: 'deployed', properties: { any: [1, null] } }]],
  ['identify-user', [{}, { properties: {} }]],
  ['get-service-logs', [{}, { search: ['error', 'fatal'], severities: [], cursor: 'abc' }]],
])('%s accepts', (operation, values) => {
  it.each(values.map(value => [value]))('%j', value => {
    expect(complaint(operation, value)).toBe(undefined)
  })
})

it.each(Object.entries(fieldInputs))('%s is not an empty text', (_, { schema }) => {
  const reason = 'use text() of src/api/fields/field-schemas.ts, which also states the longest value'
  expect(z.safeParse(schema, '').success, reason).toBe(false)
})

/** The fields with a list of values, and the values in the description, such as `DEV` and `PROD`. */
const chosen = Object.entries(fieldInputs).flatMap(([name, { about, schema }]) => {
  const { enum: values } = z.toJSONSchema(schema)
  return values ? [{ name, values, named: about.match(/(?<=`)[A-Z][A-Z0-9_]+(?=`)/g) }] : []
})

it.each(chosen)('$name accepts exactly the values of its description', ({ values, named }) => {
  expect(new Set(named)).toEqual(new Set(values))
})

const ineffective = Object.entries<Input & { schema: z.ZodMiniType }>(fieldInputs).flatMap(
  ([name, { ineffective: values = {}, schema }]) =>
    Object.keys(values).map(value => ({ name, value, schema })),
)

it.each(ineffective)('$name accepts $value, which has no effect', ({ value, schema }) => {
  expect([value, [value]].some(given => schema.safeParse(given).success)).toBe(true)
})

const nameRule = 'name: a name of 1 to 128 characters'
const shared = (example: string) => `a whole number in digits, like ${example}, or "shared"`
const targetTime = 'target_time: a date and time with a zone, like 2026-01-31T12:00:00Z'

describe.each<[EndpointName, [object, string][]]>([
  [
    'create-service',
    [
      [{}, nameRule],
      [{ name: '' }, nameRule],
      [{ name: 'a'.repeat(129) }, nameRule],
      [{ name: 'a', addons: ['vector'] }, 'addons.0: a list of time-series and ai'],
      [{ name: 'a', addons: 'ai' }, 'addons: a list of time-series and ai'],
      [{ name: 'a', cpu_millis: 500 }, `cpu_millis: ${shared('500')}`],
      [{ name: 'a', cpu_millis: '0' }, `cpu_millis: ${shared('500')}`],
      [{ name: 'a', memory_gbs: '1.5' }, `memory_gbs: ${shared('2')}`],
      [{ name: 'a', memory_gbs: 'Shared' }, `memory_gbs: ${shared('2')}`],
      [{ name: 'a', replica_count: -1 }, 'replica_count: a whole number of at least 0, like 1'],
      [{ name: 'a', environment_tag: 'dev' }, 'environment_tag: DEV or PROD'],
      [{ name: 'a', region_code: '' }, 'region_code: a region code like us-east-1'],
    ],
  ],
  [
    'resize-service',
    [
      [{ cpu_millis: 'shared', memory_gbs: '2' }, 'cpu_millis: a whole number in digits, like 500'],
      [{ cpu_millis: '500' }, 'memory_gbs: a whole number in digits, like 2'],
      [{ cpu_millis: '0500', memory_gbs: '2' }, 'cpu_millis: a whole number in digits, like 500'],
    ],
  ],
  [
    'set-ha',
    [
      [{}, 'replica_count: a number in replica_count, sync_replica_count or both'],
      [{ sync_replica_count: 0.5 }, 'sync_replica_count: a whole number of at least 0, like 1'],
    ],
  ],
  [
    'fork-service',
    [
      [{}, 'fork_strategy: NOW, LAST_SNAPSHOT or PITR'],
      [{ fork_strategy: 'now' }, 'fork_strategy: NOW, LAST_SNAPSHOT or PITR'],
      [
        { fork_strategy: 'PITR' },
        'target_time: a date and time to fork from, like 2026-01-31T12:00:00Z, because fork_strategy is PITR',
      ],
      [
        { fork_strategy: 'NOW', target_time: '2026-01-31T12:00:00Z' },
        'target_time: nothing, because it requires fork_strategy PITR',
      ],
      [{ fork_strategy: 'PITR', target_time: '2026-01-31' }, targetTime],
      [{ fork_strategy: 'PITR', target_time: '2026-01-31T12:00:00' }, targetTime],
      [{ fork_strategy: 'PITR', target_time: '2026-02-30T12:00:00Z' }, targetTime],
    ],
  ],
  [
    'create-replica',
    [
      [{ ...replica, nodes: 0 }, 'nodes: a whole number of at least 1, like 1'],
      [{ ...replica, cpu_millis: '500' }, 'cpu_millis: a whole number of at least 1, like 500'],
      [{ ...replica, memory_gbs: 0 }, 'memory_gbs: a whole number of at least 1, like 2'],
    ],
  ],
  [
    'create-vpc',
    [
      [{ ...vpc, cidr: '10.0.0.0' }, 'cidr: an IPv4 range like 10.0.0.0/16'],
      [{ ...vpc, cidr: '10.0.0.0/33' }, 'cidr: an IPv4 range like 10.0.0.0/16'],
      [{ ...vpc, cidr: '256.0.0.0/8' }, 'cidr: an IPv4 range like 10.0.0.0/16'],
    ],
  ],
  ['update-password', [[{ password: '' }, 'password: a password']]],
  ['attach-vpc', [[{ vpc_id: '../1' }, 'vpc_id: an id of up to 64 letters, digits, "-" and "_"']]],
  ['track-event', [[{ event: 'a', properties: [] }, 'properties: a JSON object']]],
  ['get-service-logs', [[{ search: 'error' }, 'search: a list of words']]],
])('%s rejects', (operation, values) => {
  it.each(values)('%j', (value, expected) => {
    expect(complaint(operation, value)).toBe(expected)
  })
})
