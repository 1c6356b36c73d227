import type { EndpointName } from '../api/endpoints.ts'
import { type Resource, resources } from '../api/resource.ts'
import { type CallOptions, type Client, callAny } from '../client/client.ts'
import { ApiError } from '../client/errors.ts'
import type { Ids } from './outcome.ts'

/** The id of a record: the API calls it service_id on services and id on all else. */
export function idOf(resource: Resource, record: unknown): string {
  const fields = record as Record<string, string>
  return (resource === 'service' ? fields.service_id : fields.id) as string
}

/** All records of a kind beside the one (or the one to be) that the ids address. */
export async function listRecords(
  client: Client,
  resource: Resource,
  ids: Ids,
  options?: CallOptions,
): Promise<unknown[]> {
  return (await callAny(client)(resources[resource].list, ids, options)) as unknown[]
}

async function findInList(
  client: Client,
  resource: Resource,
  ids: Ids,
  options: CallOptions,
): Promise<unknown> {
  const records = await listRecords(client, resource, ids, options)
  return records.find(record => idOf(resource, record) === ids[resources[resource].id])
}

async function getRecord(
  client: Client,
  name: EndpointName,
  ids: Ids,
  options: CallOptions,
): Promise<unknown> {
  try {
    return await callAny(client)(name, ids, options)
  } catch (failure) {
    // Only the API's own JSON error says that a record is gone; an HTML 404 is some other server.
    if (failure instanceof ApiError && failure.status === 404) return undefined
    throw failure
  }
}

/** Reads a record afresh; undefined where it is not there. */
export function readRecord(
  client: Client,
  resource: Resource,
  ids: Ids,
  options: CallOptions = {},
): Promise<unknown> {
  const get = resources[resource].get
  return get === undefined ? findInList(client, resource, ids, options) : getRecord(client, get, ids, options)
}

/** Whether a record that was not found is missing from the list as well: only then it is gone. */
export async function isUnlisted(
  client: Client,
  resource: Resource,
  ids: Ids,
  options: CallOptions = {},
): Promise<boolean> {
  return (await findInList(client, resource, ids, options)) === undefined
}

/** The status of a record, in whatever spelling; a record without one (a VPC) is just present. */
export function statusOf(record: unknown): string {
  return (record as { status?: string }).status ?? 'present'
}
