import { type Endpoint, pathParameters } from '../api/endpoint.ts'
import { type EndpointName, endpoints } from '../api/endpoints.ts'
import { Peering, ReadReplicaSet, Service, Vpc } from '../api/records.ts'
import { type Resource, resources } from '../api/resource.ts'
import type { CallOptions } from '../client/client.ts'
import { renderDuration } from '../client/duration.ts'
import { ApiError, UnreadableAnswerError } from '../client/errors.ts'
import { waitForConnection } from './connect.ts'
import type { Context } from './context.ts'
import { withdrawIfRefused, writeIntent } from './intent.ts'
import type { IdName, Ids, Outcome } from './outcome.ts'
import { resolveProjectId } from './project.ts'
import { idOf, readRecord } from './read-record.ts'
import { waitUntilSettled } from './settled.ts'

/** Path, query and body fields in the API's own types, as the inputs gave them. */
export type GivenParameters = Record<string, unknown>

type AnyCall = (name: EndpointName, parameters: GivenParameters, options?: CallOptions) => Promise<unknown>

/** The kind of record that a row answers with, by the schema of its answer. */
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
  return answeredResources.get(row.response) ?? row.settled?.record ?? (isList ? undefined : addressed)
}

/** Without a name the API would take the parent's + "-fork", which is not unique: then a lost answer is a lost fork. */
function withName(row: Endpoint, parameters: GivenParameters, context: Context): GivenParameters {
  if (row.creates !== 'service' || parameters.name !== undefined) return parameters
  const suffix = Math.floor(context.seam.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
  const name = `${parameters.service_id}-fork-${suffix}`
  context.log.info(`no name given: the fork is named ${name}`)
  return { ...parameters, name }
}

async function complete(row: Endpoint, given: GivenParameters, context: Context): Promise<GivenParameters> {
  const named = withName(row, given, context)
  return row.path.includes('{project_id}') ? { ...named, project_id: await resolveProjectId(context) } : named
}

function idsOf(row: Endpoint, parameters: GivenParameters): Ids {
  return Object.fromEntries(
    pathParameters(row.path).map(name => [name as IdName, parameters[name] as string]),
  )
}

function createdIds(operation: EndpointName, row: Endpoint, ids: Ids, answer: unknown): Ids {
  if (row.creates === undefined) return ids
  const id = idOf(row.creates, answer)
  const { id: idName } = resources[row.creates]
  if (ids[idName] !== id) return { ...ids, [idName]: id }
  throw new UnreadableAnswerError(
    { operation, method: row.method, path: row.path },
    {
      status: row.status,
      contentType: 'application/json',
      problem: `where the id of what was created is the parent's own, ${id}`,
      next: 'report this to the owner of the server; nothing was done to the parent',
    },
  )
}

function firstOutcome(
  name: EndpointName,
  row: Endpoint,
  parameters: GivenParameters,
  answer: unknown,
): Outcome {
  const initialPassword = (answer as { initial_password?: string } | undefined)?.initial_password
  const resource = resourceOf(row)
  return {
    operation: name,
    ids: createdIds(name, row, idsOf(row, parameters), answer),
    resource,
    record: answeredResources.has(row.response) ? answer : undefined,
    result: answer,
    initialPassword,
    password: (parameters.password as string | undefined) ?? initialPassword,
    created: row.creates !== undefined,
    deleted: row.method === 'DELETE',
    changed: row.method !== 'GET',
  }
}

async function settle(
  row: Endpoint,
  outcome: Outcome,
  asked: GivenParameters,
  context: Context,
): Promise<Outcome> {
  if (row.settled === undefined) return outcome
  const { record, milliseconds, history } = await waitUntilSettled(context, {
    settled: row.settled,
    asked,
    ids: outcome.ids,
    justCreated: row.creates !== undefined,
  })
  return { ...outcome, record, result: record ?? outcome.result, wait: { milliseconds, history } }
}

/** After a change that is answered without the record (a password, a name), reads it for the outputs. */
async function refresh(row: Endpoint, outcome: Outcome, context: Context): Promise<Outcome> {
  const { resource } = outcome
  if (row.method !== 'POST' || resource === undefined || outcome.record !== undefined) return outcome
  try {
    return { ...outcome, record: await readRecord(context.client, resource, outcome.ids) }
  } catch (failure) {
    context.signal.throwIfAborted()
    context.log.warning(`the change is made, but reading it back failed: ${(failure as Error).message}`)
    return outcome
  }
}

const busyPause = 3000

/** Sends the call, and sends it again while the server says that it is busy with the record, up to the deadline. */
async function sendWhenFree(
  context: Context,
  name: EndpointName,
  parameters: GivenParameters,
): Promise<unknown> {
  const { busy }: Endpoint = endpoints[name]
  const { client, seam, signal, log, settings, deadline } = context
  for (;;) {
    try {
      return await (client.call as AnyCall)(name, parameters)
    } catch (failure) {
      const passes =
        failure instanceof ApiError && failure.status === 409 && busy?.test(failure.serverMessage)
      if (!passes || !settings.wait || seam.now() + busyPause > deadline) throw failure
      log.info(`${failure.serverMessage}; trying again in ${renderDuration(busyPause)}`)
    }
    await seam.sleep(busyPause, signal)
  }
}

/** Runs one row of the contract: the call, and where it only starts the work, the wait for its outcome. */
export async function runEndpoint(
  name: EndpointName,
  given: GivenParameters,
  context: Context,
): Promise<Outcome> {
  const row: Endpoint = endpoints[name]
  const { settings, journal } = context
  const parameters = await complete(row, given, context)
  const { creates } = row
  if (creates) await writeIntent(context, name, { ...row, creates }, idsOf(row, parameters), parameters)
  const send = () => sendWhenFree(context, name, parameters)
  const answer = await (creates ? withdrawIfRefused(context, send) : send())
  const outcome = firstOutcome(name, row, parameters, answer)
  if (creates) journal.created({ resource: creates, ids: outcome.ids }, outcome)
  if (!settings.wait) return outcome
  const settled = row.settled
    ? await settle(row, outcome, parameters, context)
    : await refresh(row, outcome, context)
  if (settings.waitForConnection && row.settled?.serves) await waitForConnection(context, settled)
  return settled
}
