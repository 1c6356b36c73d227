/** Plays a call of an endpoint in the emulator, in virtual time: the reference and tests take records from it. */
import type * as z from 'zod/mini'
import { type Endpoint, pathParameters } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import { type AnyRecord, type Resource, resources } from '#api/resource'
import { isRecord } from '#base/unknown-values'
import { resourceOf } from '#operations/base/endpoint-outcome'
import type { Effect } from '../../emulator/store/effect.ts'
import { Store } from '../../emulator/store/store.ts'
import { requiredFields } from './example-values.ts'

/** The calls that create the records for the played call. Their sizes differ from those of the examples. */
const preparation: [EndpointName, object][] = [
  ['create-service', { cpu_millis: '1000', memory_gbs: '4' }],
  ['create-replica', { cpu_millis: 1000, memory_gbs: 4 }],
  ['create-vpc', {}],
  ['create-peering', {}],
  ['enable-pooler', {}],
  ['enable-replica-pooler', {}],
  ['attach-vpc', {}],
]

/** Calls that the emulator refuses without further calls before them. */
const prerequisites: Partial<Record<EndpointName, EndpointName[]>> = {
  'start-service': ['stop-service'],
  'delete-vpc': ['detach-vpc', 'delete-peering'],
}

/** The time of the played call. The dates of the examples are near it. */
const present = Date.parse('2026-01-31T06:00:00Z')
/** Milliseconds between two calls before it, in which all work ends. */
const pause = 6 * 3_600_000

const address = { host: 'db.example', port: 5432 }
const statistics = { connections: 3, transactions: 100, diskBytes: 1e6 }

const idIn = (answer: unknown) => (isRecord(answer) ? String(answer.service_id ?? answer.id) : '')

export interface Played {
  status: number
  parameters: Record<string, unknown>
  /** Decoded; as the emulator sent it if it refused the call. */
  answer: unknown
  /** The work of the databases that the call starts. */
  effects: Effect[]
  /** The record that the call concerns; undefined for a new one. */
  before: AnyRecord | undefined
  /** The same record after all work has ended, or the new one. */
  after: AnyRecord | undefined
}

/**
 * @param given fields beside those that the endpoint requires, or other values of these
 * @param isRepeated sends the call a second time, and returns the answer to it
 */
export function playEndpoint(name: EndpointName, given: object = {}, isRepeated = false): Played {
  let now = present - 12 * pause
  const store = new Store({ now: () => now, random: () => 0.5, databases: 'real' })
  const ids: Record<string, string> = { project_id: store.project.id }

  function call(operation: EndpointName, more: object) {
    const row: Endpoint = endpoints[operation]
    const pathIds = Object.fromEntries(Object.entries(ids).filter(([id]) => row.path.includes(`{${id}}`)))
    const bodyIds = 'vpc_id' in (row.body?.shape ?? {}) ? { vpc_id: ids.vpc_id } : {}
    const parameters = { ...requiredFields(row), ...pathIds, ...bodyIds, ...more }
    const { status, body, effects } = store.call(operation, parameters as never, {
      statistics,
      reserved: address,
    })
    for (const { id } of effects) store.completed(id, { address })
    now += pause
    const answer: unknown = status < 300 && row.response ? row.response.parse(body) : body
    return { status, answer, effects, parameters }
  }

  function read(resource: Resource | undefined): AnyRecord | undefined {
    if (resource === undefined) return undefined
    const { list, schema, id } = resources[resource]
    if (pathParameters(endpoints[list].path).some(parent => ids[parent] === undefined)) return undefined
    const records = call(list, {}).answer as z.output<typeof schema>[]
    return records.find(record => idIn(record) === ids[id])
  }

  for (const [operation, more] of preparation) {
    if (operation === name) continue
    const { answer } = call(operation, more)
    const { creates }: Endpoint = endpoints[operation]
    if (creates) ids[resources[creates].id] = idIn(answer)
  }
  for (const operation of prerequisites[name] ?? []) call(operation, {})
  const row: Endpoint = endpoints[name]
  const resource = resourceOf(row)
  const before = row.creates ? undefined : read(resource)
  now = present
  if (isRepeated) call(name, given)
  const played = call(name, given)
  if (row.creates) ids[resources[row.creates].id] = idIn(played.answer)
  return { ...played, before, after: read(resource) }
}
