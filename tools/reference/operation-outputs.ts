// Derives the outputs of each operation.

import { renderOutputs } from '#action/outputs/output-table'
import { type Endpoint, parameterNames } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import { AuthInfo, Projects, Service } from '#api/records'
import { type AnyRecord, type Resource, resourceOfSchema, resources } from '#api/resource'
import { firstOutcome } from '#operations/base/endpoint-outcome'
import type { Outcome } from '#operations/base/outcome'
import { IncompleteReferenceError } from './generated-block.ts'

/** The parameters of the calls; the records below match them. */
const parameters: Record<string, unknown> = {
  ...{ cpu_millis: '500', memory_gbs: '2', environment: 'DEV', replica_count: 1, sync_replica_count: 1 },
  ...{ service_id: 's1', replica_set_id: 'r1', vpc_id: '7', peering_id: '8', name: 'shop', project_id: 'p1' },
}

const address = { host: 'db.example', port: 5432 }
const pooler = { connection_pooler: { endpoint: address } }
const inVpc = { vpcEndpoint: { ...address, vpc_id: '7' } }

const sizes = { cpu_millis: 500, memory_gbs: 2 }
const connectable = { metadata: { environment: 'DEV' }, endpoint: address }

/** A record of each kind in the API's form, without features that are enabled later. */
const plain: Record<Resource, object> = {
  service: {
    ...{ service_id: 's1', name: 'shop', region_code: 'us-east-1', service_type: 'POSTGRES' },
    ...{ created: '2026-01-31T12:00:00Z', resources: [{ spec: sizes }] },
    ha_replicas: { replica_count: 1, sync_replica_count: 1 },
    data_tiering: { enabled: true },
    ...connectable,
  },
  replica_set: { id: 'r1', name: 'readers', ...sizes, ...connectable },
  vpc: { id: '7', name: 'net', region_code: 'us-east-1', created: '2026-01-31T12:00:00Z' },
  peering: { id: '8', provisioned_id: 'pcx-1' },
}

const statuses: Record<Resource, (string | undefined)[]> = {
  service: ['READY', 'PAUSED'],
  replica_set: ['active'],
  vpc: ['CREATED'],
  peering: ['ACTIVE'],
}

/** Features that are enabled later, the most complete first. */
const later: Record<Resource, object[]> = {
  service: [{ ...pooler, ...inVpc }, pooler, inVpc, {}],
  replica_set: [pooler, {}],
  vpc: [{}],
  peering: [{}],
}

/** The most complete record with which an operation may end, as requested; new if the operation creates it. */
function fullest(resource: Resource, { goal, creates }: Endpoint): AnyRecord | undefined {
  const records = statuses[resource].flatMap(status =>
    (creates ? [{}] : later[resource]).map(more =>
      resources[resource].schema.parse({ ...plain[resource], ...more, status }),
    ),
  )
  if (goal === undefined || goal.until === 'gone') return records[0]
  const record = records.find(one => goal.judge(one, parameters) === 'settled')
  if (record === undefined)
    throw new IncompleteReferenceError(
      `no example settles the wait of a ${resource} to ${goal.awaited(parameters)}: extend those in tools/reference/operation-outputs.ts`,
    )
  return record
}

function answerOf(row: Endpoint): unknown {
  const { response } = row
  if (response === undefined) return undefined
  if (response === AuthInfo) return { apiKey: { project: { id: 'p1' } } }
  if (response === Projects) return [{ id: 'p1' }]
  const resource = resourceOfSchema(response)
  const given = row.creates === 'service' ? { initial_password: 'given at first' } : {}
  if (resource) return { ...fullest(resource, row), ...given }
  return response.safeParse([]).success ? [] : {}
}

/** The complete outcome of an operation with one call. */
function endOfRow(name: EndpointName): Outcome {
  const row: Endpoint = endpoints[name]
  const names = [...parameterNames(row), 'project_id']
  const asked = Object.fromEntries(names.map(one => [one, parameters[one] ?? 'given']))
  const outcome = firstOutcome({ name, row, parameters: row.path.includes('{') ? asked : {} }, answerOf(row))
  const { resource } = outcome
  if (resource === undefined || row.goal?.until === 'gone') return outcome
  const record = outcome.record ?? (row.method === 'POST' ? fullest(resource, row) : undefined)
  return row.goal ? { ...outcome, record, result: record } : { ...outcome, record }
}

const service = fullest('service', endpoints['get-service'])
const ids = { project_id: 'p1', service_id: 's1' }
const ready = { operation: '', ids, resource: 'service', record: service, result: service } as const
const written = { pullRequest: 1, commentUrl: 'https://github.example/comment' }

const given: Outcome = { ...ready, ...written, password: 'derived', connectionChanged: true }
const recreated = Service.parse({ ...plain.service, ...pooler, status: 'READY' })
const justMade = Service.parse({ ...plain.service, status: 'READY' })
const ended: Outcome = { operation: '', ids, ...written, deletedIds: ['s1'] }
const pruned: Outcome = {
  ...{
    operation: '',
    ids: { project_id: 'p1' },
    result: [],
    deletedIds: ['s1'],
    keptIds: ['s2'],
  },
}

const judged = { verdict: 'passed', violations: [], destructive: false, diff: [] }

/** The possible outcomes of the operations that are not one call of the API. */
const ownEnds: Record<string, Outcome[]> = {
  preview: [given, ended, pruned],
  'create-preview': [given],
  'reset-preview': [{ ...given, record: recreated, deletedIds: ['s1'] }],
  'delete-preview': [ended],
  'prune-previews': [pruned],
  'get-connection': [{ ...ready, pullRequest: 1, password: 'derived' }],
  'create-masked-parent': [{ ...ready, record: justMade, password: 'derived' }],
  'run-sql': [{ operation: '', ids, pullRequest: 1, result: [], count: 0 }],
  'schema-diff': [{ operation: '', ids, ...written, outputs: judged }],
  'rehearse-migration': [{ operation: '', ids, ...written, outputs: { ...judged, duration: 0 } }],
}

/** Outputs of every operation. */
export const outputsOfAll = ['created', 'deleted', 'changed', 'skipped', 'wait_seconds']

/** The outputs that an operation may set when it succeeds, besides those of all, in the order of the tables. */
export function outputsOf(operation: string): string[] {
  const ends = ownEnds[operation] ?? [endOfRow(operation as EndpointName)]
  const login = { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' }
  const names = ends.flatMap(outcome => renderOutputs({ outcome, login }).map(({ name }) => name))
  return [...new Set(names)].filter(name => !outputsOfAll.includes(name))
}
