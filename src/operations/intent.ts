import type { Endpoint } from '../api/endpoint.ts'
import type { Resource } from '../api/resource.ts'
import type { Client } from '../client/client.ts'
import { ApiError, TransportError } from '../client/errors.ts'
import type { Context, Intent } from './context.ts'
import type { Ids } from './outcome.ts'
import { idOf, listRecords } from './read-record.ts'

/** The fields by which a record is found again when its id was never learned: a peering has no name. */
const identifyingFields: Record<Resource, string[]> = {
  service: ['name'],
  replica_set: ['name'],
  vpc: ['name'],
  peering: ['peer_account_id', 'peer_region_code', 'peer_vpc_id'],
}

/** All records that look exactly like what the intent wants to create. */
export async function findIntended(
  client: Client,
  intent: Pick<Intent, 'resource' | 'ids' | 'match'>,
): Promise<unknown[]> {
  const records = await listRecords(client, intent.resource, intent.ids)
  const matches = (record: unknown) =>
    Object.entries(intent.match).every(
      ([field, value]) => (record as Record<string, unknown>)[field] === value,
    )
  return records.filter(matches)
}

/**
 * Writes down what is about to be created (DESIGN rule 1). Where the post step may have to clean up, it also
 * notes which records look the same already: none of those may ever be taken for ours.
 */
export async function writeIntent(
  context: Context,
  operation: string,
  row: Endpoint & { creates: Resource },
  ids: Ids,
  parameters: Record<string, unknown>,
): Promise<void> {
  const match = Object.fromEntries(
    identifyingFields[row.creates].map(field => [field, String(parameters[field])]),
  )
  const intent = { operation, resource: row.creates, ids, match }
  const existing = context.settings.cleanup === 'never' ? [] : await findIntended(context.client, intent)
  context.journal.intend({
    ...intent,
    existing: existing.map(record => idOf(row.creates, record)),
    at: context.seam.date(),
  })
}

/** Whether a creating call surely created nothing: it never left, or the API turned it down in its own words. */
function isRefused(failure: unknown): boolean {
  if (failure instanceof TransportError) return failure.neverSent
  return (
    failure instanceof ApiError && failure.status >= 400 && failure.status < 500 && failure.status !== 408
  )
}

/** Runs a creating call for which an intent is written; one that surely created nothing takes the intent back. */
export async function withdrawIfRefused<Created>(
  context: Context,
  create: () => Promise<Created>,
): Promise<Created> {
  try {
    return await create()
  } catch (failure) {
    if (isRefused(failure)) context.journal.withdraw()
    throw failure
  }
}
