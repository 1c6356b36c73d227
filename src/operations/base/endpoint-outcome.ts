import type * as z from 'zod/mini'
import { type Endpoint, isRead, pathParameters } from '../../api/endpoint.ts'
import type { EndpointName } from '../../api/endpoints.ts'
import { ActionResult, AuthInfo, Peering, Projects, ReadReplicaSet, Service, Vpc } from '../../api/records.ts'
import { describeRecord, type Resource, resources } from '../../api/resource.ts'
import type { GivenParameters } from './context.ts'
import type { IdName, Ids, Outcome } from './outcome.ts'
import { idOf } from './read-record.ts'

/** One call of the API to be made: its row of the contract, and what to send. */
export interface Call {
  name: EndpointName
  row: Endpoint
  parameters: GivenParameters
}

/** Kinds of records, by the schema of the answer. */
const answeredResources = new Map<unknown, Resource>([
  [Service, 'service'],
  [ReadReplicaSet, 'replica_set'],
  [Vpc, 'vpc'],
  [Peering, 'peering'],
])

/** The kind of record that a row is about: the one it answers with or waits for, else the last one on its path. */
export function resourceOf(row: Endpoint): Resource | undefined {
  const last = pathParameters(row.path).at(-1)
  const addressed = (Object.keys(resources) as Resource[]).find(resource => resources[resource].id === last)
  const isList = row.method === 'GET' && !answeredResources.has(row.response)
  return answeredResources.get(row.response) ?? row.goal?.record ?? (isList ? undefined : addressed)
}

/** The ids on the path of a call. */
export function idsOf({ row, parameters }: Call): Ids {
  return Object.fromEntries(
    pathParameters(row.path).map(name => [name as IdName, parameters[name] as string]),
  )
}

/** What a call is about, for people: `service s1`. */
export function labelOf({ row, parameters }: Call): string {
  const resource = resourceOf(row)
  return resource ? describeRecord(resource, parameters) : 'the account'
}

/** The project in an answer about the key; undefined when it names none, or several. */
function toldProject({ response }: Endpoint, answer: unknown): string | undefined {
  if (response === AuthInfo) return (answer as AuthInfo | undefined)?.apiKey?.project?.id
  if (response !== Projects) return undefined
  const [only, ...others] = answer as ({ id?: unknown } | null)[]
  return others.length === 0 && typeof only?.id === 'string' ? only.id : undefined
}

/** The words of an answer that has no record. */
function messageOf({ response }: Endpoint, answer: unknown): string | undefined {
  const told = response === ActionResult ? (answer as z.output<typeof ActionResult> | undefined) : undefined
  return told?.message || undefined
}

function idsAfter(call: Call, answer: unknown): Ids {
  const { row } = call
  const project_id = toldProject(row, answer)
  const ids = { ...idsOf(call), ...(project_id !== undefined && { project_id }) }
  return row.creates ? { ...ids, [resources[row.creates].id]: idOf(row.creates, answer) } : ids
}

/** The outcome of a call as its answer tells it, before any wait. */
export function firstOutcome(call: Call, answer: unknown): Outcome {
  const { name, row, parameters } = call
  const initialPassword = (answer as { initial_password?: string } | undefined)?.initial_password
  const resource = resourceOf(row)
  return {
    operation: name,
    ids: idsAfter(call, answer),
    resource,
    record: answeredResources.has(row.response) ? answer : undefined,
    result: answer,
    message: messageOf(row, answer),
    initialPassword,
    password: (parameters.password as string | undefined) ?? initialPassword,
    created: row.creates !== undefined,
    deleted: row.method === 'DELETE',
    changed: !isRead(row),
  }
}
