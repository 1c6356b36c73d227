import type { Service } from '../api/records.ts'
import { type Resource, resources } from '../api/resource.ts'
import type { CallOptions, Client } from '../client/client.ts'
import type { Intent } from './context.ts'
import type { Ids } from './outcome.ts'
import { idOf, listRecords } from './read-record.ts'

/** The fields by which a record is found again when its id was never learned: a peering has no name. */
const identifyingFields: Record<Resource, string[]> = {
  service: ['name'],
  replica_set: ['name'],
  vpc: ['name'],
  peering: ['peer_account_id', 'peer_region_code', 'peer_vpc_id'],
}

/** What a creating call is about to do; the step writes it down before each time that it is sent. */
export type Plan = Omit<Intent, 'posts' | 'firstSent' | 'lastSent' | 'searched'>

type Pattern = Pick<Plan, 'resource' | 'ids' | 'match'>

/** The ids of all records that look exactly like what is to be created. */
async function listAlike(client: Client, pattern: Pattern): Promise<string[]> {
  return (await findAlike(client, pattern)).map(record => idOf(pattern.resource, record))
}

/** All records that look exactly like the pattern, the oldest first. */
async function findAlike(client: Client, pattern: Pattern, options?: CallOptions): Promise<unknown[]> {
  const records = await listRecords(client, pattern.resource, pattern.ids, options)
  const matches = (record: unknown) =>
    Object.entries(pattern.match).every(
      ([field, value]) => (record as Record<string, unknown>)[field] === value,
    )
  return records.filter(matches).sort(byAge(pattern.resource))
}

/**
 * The oldest first, by creation and then by id, so that all runs agree which of two twins stays (DESIGN rule 2).
 * Only services say when they were created; the ids of VPCs and peerings are numbers that grow (API.md).
 */
export function byAge(resource: Resource): (one: unknown, other: unknown) => number {
  return (one, other) => {
    const age =
      Date.parse((one as Partial<Service>).created ?? '') -
      Date.parse((other as Partial<Service>).created ?? '')
    return age || idOf(resource, one).localeCompare(idOf(resource, other), 'en', { numeric: true })
  }
}

/**
 * Plans a creating call. Which records look the same already is asked for first: none of those may ever be taken
 * for ours. With a name that nobody else can have come upon, there are none.
 */
export async function planIntent(
  client: Client,
  call: { operation: string; resource: Resource; ids: Ids; unique: boolean },
  parameters: Record<string, unknown>,
): Promise<Plan> {
  const { operation, resource, ids, unique } = call
  const match = Object.fromEntries(
    identifyingFields[resource].map(field => [field, String(parameters[field])]),
  )
  const existing = unique ? [] : await listAlike(client, { resource, ids, match })
  const production = parameters.environment_tag === 'PROD'
  return { operation, resource, ids, match, existing, unique, production }
}

/** What the intent is about, for people: `service "shop"`. */
export function describeIntent({ resource, match }: Pick<Plan, 'resource' | 'match'>): string {
  return `${resources[resource].label} "${Object.values(match).join(' ')}"`
}

/** Milliseconds. A request may be processed a minute late; a date in a header is cut to seconds. */
const window = { before: 5_000, after: 120_000 }

/**
 * Whether a record may come of the intent: not there before, made while its last request was under way, tagged as
 * asked. A request of before did nothing: only then another one is sent.
 */
function mayBeOurs(record: unknown, intent: Intent): boolean {
  const { created, metadata } = record as Partial<Service>
  if (intent.existing.includes(idOf(intent.resource, record))) return false
  if (intent.resource !== 'service') return true
  if (metadata?.environment?.toUpperCase() === 'PROD' && !intent.production) return false
  const made = Date.parse(created ?? '')
  if (intent.unique || Number.isNaN(made)) return true
  return made >= intent.lastSent - window.before && made <= intent.lastSent + window.after
}

/** All records that may come of the intent, the oldest first. */
export async function findOurs(client: Client, intent: Intent, options?: CallOptions): Promise<unknown[]> {
  return (await findAlike(client, intent, options)).filter(record => mayBeOurs(record, intent))
}

/**
 * Whether what was found comes of the intent: one record of the right time does, several do where nobody else can
 * have come upon the name. Otherwise nothing tells which is ours, and nothing may be deleted.
 */
export function areSurelyOurs(found: unknown[], { unique, resource }: Intent): boolean {
  const isDated = (record: unknown) =>
    resource !== 'service' || !Number.isNaN(Date.parse((record as Partial<Service>).created ?? ''))
  return unique || (found.length <= 1 && found.every(isDated))
}
