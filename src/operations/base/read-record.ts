/** Reads the project and its records, and describes their statuses. */
import { isKnownPeeringStatus } from '#api/goal'
import { replicaSetStatuses, serviceStatuses, vpcStatuses } from '#api/records'
import { type AnyRecord, type Records, type Resource, resources } from '#api/resource'
import { ActionError, isApiError, type UnreadableAnswerError } from '#base/errors'
import { isRecord } from '#base/unknown-values'
import type { CallOptions, Client } from '#client/client'
import type { Calls, WithSettings } from './context.ts'
import type { Ids } from './outcome.ts'

export async function resolveProjectId(context: Calls & WithSettings<'projectId'>): Promise<string> {
  if (context.settings.projectId !== undefined) return context.settings.projectId
  const { apiKey } = await context.client.call('get-auth-info', {})
  if (apiKey?.project === undefined) {
    throw new ActionError('the API did not return the project of the key', 'set the input project_id')
  }
  context.log.info(`project ${apiKey.project.id} (the key's own)`)
  return apiKey.project.id
}

export const idOf = (resource: Resource, record: AnyRecord): string =>
  String(resource === 'service' ? record.service_id : record.id)

/** The ids of a record, from those on its path. */
export const withId = (ids: Ids, resource: Resource, record: AnyRecord): Ids => ({
  ...ids,
  [resources[resource].id]: idOf(resource, record),
})

/** Whether a record is gone although it is still readable: some servers keep showing deleted records. */
export const isDeleted = (record: AnyRecord) => /^deleted$/i.test(statusOf(record))

/** Lists all records of a kind, in the project or under the record that the ids name. */
export async function listRecords<Kind extends Resource>(
  client: Client,
  resource: Kind,
  ids: Ids,
  options?: CallOptions,
): Promise<Records[Kind][]> {
  const records = (await client.callAny(resources[resource].list, ids, options)) as Records[Kind][]
  return records.filter(record => !isDeleted(record))
}

/** The id of a malformed record, if the id is valid. */
export function idOfMalformed(resource: Resource, entry: unknown): string | undefined {
  const fields = isRecord(entry) ? entry : {}
  const id = resource === 'service' ? fields.service_id : fields.id
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/** @throws UnreadableAnswerError if the record is not found, but a malformed record may be it */
async function findInList<Kind extends Resource>(
  client: Client,
  resource: Kind,
  ids: Ids,
  options: CallOptions,
): Promise<Records[Kind] | undefined> {
  const wanted = ids[resources[resource].id]
  let malformed: UnreadableAnswerError | undefined
  const records = await listRecords(client, resource, ids, {
    ...options,
    only: entry => (idOfMalformed(resource, entry) ?? wanted) === wanted,
    readMalformed(_, problem) {
      malformed ??= problem
      return []
    },
  })
  const found = records.find(record => idOf(resource, record) === wanted)
  if (found === undefined && malformed) throw malformed
  return found
}

/** Reads a record as the API shows it, even in status DELETED; undefined if the API does not show it. */
export async function readShown<Kind extends Resource>(
  client: Client,
  resource: Kind,
  ids: Ids,
  options: CallOptions = {},
): Promise<Records[Kind] | undefined> {
  const { get } = resources[resource]
  if (get === undefined) return await findInList(client, resource, ids, options)
  try {
    return (await client.callAny(get, ids, options)) as Records[Kind]
  } catch (failure) {
    // Only the API's own JSON error means that a record is gone; an HTML 404 comes from another server.
    if (isApiError(failure, 404)) return undefined
    throw failure
  }
}

/** Reads a record; undefined if it does not exist, or is deleted. */
export async function readRecord<Kind extends Resource>(
  client: Client,
  resource: Kind,
  ids: Ids,
): Promise<Records[Kind] | undefined> {
  const shown = await readShown(client, resource, ids)
  return shown === undefined || isDeleted(shown) ? undefined : shown
}

/** Whether a missing record is missing from the list too: only then is it gone. */
export async function isUnlisted(client: Client, resource: Resource, ids: Ids, options: CallOptions = {}) {
  return (await findInList(client, resource, ids, options)) === undefined
}

/** Represents the status of a record without one, like a VPC. */
const noStatus = 'none'

export const statusOf = ({ status = noStatus }: AnyRecord): string => String(status)

/** Completes the sentence about the record: `is READY`. */
export const describeStatus = (status: string): string =>
  status === noStatus ? 'is present, without a status' : `is ${status}`

const isAmong = (statuses: readonly string[]) => (status: string) => statuses.includes(status)

/** The statuses with a known meaning, for resources with statuses. */
const knownStatuses: Partial<Record<Resource, (status: string) => boolean>> = {
  service: isAmong(serviceStatuses),
  replica_set: isAmong(replicaSetStatuses),
  vpc: isAmong([noStatus, ...vpcStatuses]),
  peering: status => status === noStatus || isKnownPeeringStatus(status),
}

/** Completes the sentence about the record if the meaning of its status is unknown; otherwise undefined. */
export function describeUnknownStatus(resource: Resource, status: string): string | undefined {
  const isKnown = knownStatuses[resource]
  if (isKnown === undefined || isKnown(status)) return undefined
  if (status === noStatus) return 'has no status'
  const unknown = resource === 'peering' ? 'the action does not know' : 'the specification does not list'
  return `has the status ${status}, which ${unknown}`
}
