/** Plans a creation, and finds its records. */
import { type AnyRecord, isService, type Resource, resources } from '#api/resource'
import { protectingTag } from '#api/service-states'
import type { UnreadableAnswerError } from '#base/errors'
import { parseTimestamp } from '#base/timestamp'
import type { ReadMalformed } from '#client/answer'
import type { CallOptions, Client } from '#client/client'
import type { Intent, Plan } from '../base/journaled.ts'
import { idOf, idOfMalformed, listRecords } from '../base/read-record.ts'

/** The fields that identify a record whose id is unknown; a peering has no name. */
const identifyingFields: Record<Resource, string[]> = {
  service: ['name'],
  replica_set: ['name'],
  vpc: ['name'],
  peering: ['peer_account_id', 'peer_region_code', 'peer_vpc_id'],
}

/** Lists the records with the plan's identifying fields, oldest first, and malformed entries that may have them. */
async function findAlike(
  client: Client,
  { resource, ids, match }: Pick<Plan, 'resource' | 'ids' | 'match'>,
  readMalformed: ReadMalformed,
  options?: CallOptions,
): Promise<AnyRecord[]> {
  const only = (entry: Record<string, unknown>) =>
    Object.entries(match).every(
      ([field, value]) => typeof entry[field] !== 'string' || entry[field] === value,
    )
  const records = await listRecords(client, resource, ids, { ...options, only, readMalformed })
  const matches = (record: AnyRecord) =>
    Object.entries(match).every(([field, value]) => record[field] === value)
  return records.filter(matches).sort(byAge(resource))
}

/** A record without a readable date counts as the youngest. */
const createdAt = ({ created }: AnyRecord): number => parseTimestamp(created) ?? Number.MAX_VALUE

/**
 * Orders by creation date, then by id, so that all runs keep the same one of two duplicates. Only services have a
 * creation date; the ids of VPCs and peerings are growing numbers (docs/internals/api.md, "Records").
 */
export function byAge(resource: Resource): (one: AnyRecord, other: AnyRecord) => number {
  return (one, other) =>
    createdAt(one) - createdAt(other) ||
    idOf(resource, one).localeCompare(idOf(resource, other), 'en', { numeric: true })
}

/** Plans a creating call. Existing records with an exact name must never be mistaken for this run's. */
export async function planCreation(
  client: Client,
  call: Pick<Plan, 'operation' | 'resource' | 'ids' | 'isUniqueName' | 'parentId'>,
  parameters: Record<string, unknown>,
): Promise<Plan> {
  const match = Object.fromEntries(
    identifyingFields[call.resource].map(field => [field, String(parameters[field])]),
  )
  // A malformed entry is not this run's either, if it becomes readable later.
  const malformed: string[] = []
  const noteMalformed: ReadMalformed = entry => {
    malformed.push(idOfMalformed(call.resource, entry) ?? '')
    return []
  }
  const alike = call.isUniqueName ? [] : await findAlike(client, { ...call, match }, noteMalformed)
  const existing = [...alike.map(record => idOf(call.resource, record)), ...malformed.filter(id => id !== '')]
  return { ...call, match, existing, production: parameters.environment_tag === 'PROD' }
}

/** Plans a service with a unique name: a fork of the parent, or an empty one. */
export const planService = (project_id: string, name: string, parentId: string | undefined): Plan => ({
  operation: parentId === undefined ? 'create-service' : 'fork-service',
  resource: 'service',
  ids: { project_id },
  match: { name },
  isUniqueName: true,
  existing: [],
  parentId,
  production: false,
})

/** The planned record, for readers: `service "shop"`. */
export function describePlan({ resource, match }: Pick<Plan, 'resource' | 'match'>): string {
  return `${resources[resource].label} "${Object.values(match).join(' ')}"`
}

/** Milliseconds by which a record may seem older or younger than its request: clocks differ, and requests wait. */
const window = { before: 3 * 60_000, after: 5 * 60_000 }

function isInTime(record: AnyRecord, { firstSent, lastSent }: Intent): boolean {
  const made = createdAt(record)
  // A record without a date cannot be excluded by its time.
  return made === Number.MAX_VALUE || (made >= firstSent - window.before && made <= lastSent + window.after)
}

/** Whether the intent cannot have created a record with that name. */
function isByOtherRun(record: AnyRecord, intent: Intent): boolean {
  if (intent.existing.includes(idOf(intent.resource, record))) return true
  if (!isService(intent.resource, record)) return false
  // A new fork may not name its parent yet: such a record cannot be excluded by its parent.
  const isOfOtherParent = record.forked_from?.service_id !== intent.parentId
  const isOfOtherTag = protectingTag(record, intent.production) !== undefined
  return isOfOtherParent || isOfOtherTag || !isInTime(record, intent)
}

/**
 * Lists the records that the intent may have created, oldest first. With an exact name, each may be another job's.
 * @param onDoubt called for a malformed entry that may be another such record
 * @throws UnreadableAnswerError without `onDoubt`, if no record is found but a malformed entry may be one
 */
export async function findCandidates(
  client: Client,
  intent: Intent,
  options?: CallOptions,
  onDoubt?: (problem: UnreadableAnswerError) => void,
): Promise<AnyRecord[]> {
  let doubt: UnreadableAnswerError | undefined
  const noteMalformed: ReadMalformed = (entry, problem) => {
    if (!intent.existing.includes(idOfMalformed(intent.resource, entry) ?? '')) doubt ??= problem
    return []
  }
  const alike = await findAlike(client, intent, noteMalformed, options)
  const found = intent.isUniqueName ? alike : alike.filter(record => !isByOtherRun(record, intent))
  if (doubt && onDoubt) onDoubt(doubt)
  else if (doubt && found.length === 0) throw doubt
  return found
}
