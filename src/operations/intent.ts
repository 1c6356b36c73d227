import type { Endpoint } from '../api/endpoint.ts'
import type { Resource } from '../api/resource.ts'
import type { Client } from '../client/client.ts'
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

/** The ids of all records that look exactly like what the intent wants to create. */
export async function findIntended(
  client: Client,
  intent: Pick<Intent, 'resource' | 'ids' | 'match'>,
): Promise<string[]> {
  const records = await listRecords(client, intent.resource, intent.ids)
  const matches = (record: unknown) =>
    Object.entries(intent.match).every(
      ([field, value]) => (record as Record<string, unknown>)[field] === value,
    )
  return records.filter(matches).map(record => idOf(intent.resource, record))
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
  context.journal.intend({ ...intent, existing })
}
