import { isKnownPeeringStatus } from '#api/goal'
import { replicaSetStatuses, serviceStatuses, vpcStatuses } from '#api/records'
import { type AnyRecord, type Records, type Resource, resources } from '#api/resource'
import { ApiError, type UnreadableAnswerError } from '#base/errors'
import { type CallOptions, type Client, callAny } from '#client/client'
import type { Ids } from './outcome.ts'

/** The id of a record: `service_id` on services, `id` on everything else. */
export const idOf = (resource: Resource, record: AnyRecord): string =>
  String(resource === 'service' ? record.service_id : record.id)

/** Whether a record that is still shown is gone all the same: some servers go on showing what was deleted. */
export const isDeleted = (record: AnyRecord) => /^deleted$/i.test(statusOf(record))

/** Lists all records of a kind, in the project (or below the record) that the ids name. */
export async function listRecords<Kind extends Resource>(
  client: Client,
  resource: Kind,
  ids: Ids,
  options?: CallOptions,
): Promise<Records[Kind][]> {
  const records = (await callAny(client)(resources[resource].list, ids, options)) as Records[Kind][]
  return records.filter(record => !isDeleted(record))
}

/** The id of a malformed record, if the id is valid. */
export function idOfMalformed(resource: Resource, entry: unknown): string | undefined {
  const fields: { id?: unknown; service_id?: unknown } =
    typeof entry === 'object' && entry !== null ? entry : {}
  const id = resource === 'service' ? fields.service_id : fields.id
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/**
 * Finds a record by its id; undefined if the list does not have it.
 *
 * @throws UnreadableAnswerError if it is not found, and an entry that cannot be read may be it
 */
async function findInList<Kind extends Resource>(
  client: Client,
  resource: Kind,
  ids: Ids,
  options: CallOptions,
): Promise<Records[Kind] | undefined> {
  const wanted = ids[resources[resource].id]
  let doubt: UnreadableAnswerError | undefined
  const records = await listRecords(client, resource, ids, {
    ...options,
    only: entry => (idOfMalformed(resource, entry) ?? wanted) === wanted,
    readMalformed(_, problem) {
      doubt ??= problem
      return []
    },
  })
  const found = records.find(record => idOf(resource, record) === wanted)
  if (found === undefined && doubt) throw doubt
  return found
}

/** Reads a record as the API shows it, even if it says that it is deleted; undefined when it is not shown. */
export async function readShown<Kind extends Resource>(
  client: Client,
  resource: Kind,
  ids: Ids,
  options: CallOptions = {},
): Promise<Records[Kind] | undefined> {
  const { get } = resources[resource]
  if (get === undefined) return await findInList(client, resource, ids, options)
  try {
    return (await callAny(client)(get, ids, options)) as Records[Kind]
  } catch (failure) {
    // Only the API's own JSON error means that a record is gone; an HTML 404 comes from some other server.
    if (failure instanceof ApiError && failure.status === 404) return undefined
    throw failure
  }
}

/** Reads a record; undefined when it does not exist, or not any more. */
export async function readRecord<Kind extends Resource>(
  client: Client,
  resource: Kind,
  ids: Ids,
  options: CallOptions = {},
): Promise<Records[Kind] | undefined> {
  const shown = await readShown(client, resource, ids, options)
  return shown === undefined || isDeleted(shown) ? undefined : shown
}

/** Whether a record that was not found is missing from the list too: only then is it gone. */
export async function isUnlisted(
  client: Client,
  resource: Resource,
  ids: Ids,
  options: CallOptions = {},
): Promise<boolean> {
  return (await findInList(client, resource, ids, options)) === undefined
}

/** Stands for the status of a record that tells none, like a VPC. */
export const noStatus = 'none'

export const statusOf = ({ status = noStatus }: AnyRecord): string => String(status)

/** Completes the sentence that begins with the record: `is READY`. */
export const describeStatus = (status: string, isSeenAgain = false) =>
  status === noStatus
    ? `is ${isSeenAgain ? 'still ' : ''}there, with no status`
    : `is ${isSeenAgain ? 'still ' : ''}${status}`

const among = (statuses: readonly string[]) => (status: string) => statuses.includes(status)

/** The statuses with a known meaning, where a resource has statuses. */
const knownStatuses: Partial<Record<Resource, (status: string) => boolean>> = {
  service: among(serviceStatuses),
  replica_set: among(replicaSetStatuses),
  vpc: among([noStatus, ...vpcStatuses]),
  peering: status => status === noStatus || isKnownPeeringStatus(status),
}

/** Completes the sentence that begins with the record, if its status has no known meaning; else undefined. */
export function describeUnknownStatus(resource: Resource, status: string): string | undefined {
  if (knownStatuses[resource]?.(status) ?? true) return undefined
  if (status === noStatus) return 'tells no status'
  const unknown = resource === 'peering' ? 'the action does not know' : 'the specification does not list'
  return `has the status ${status}, which ${unknown}`
}
