/** Plans a creation, under a name with a random part or an exact one, and finds the records that its requests may have created. */
import { type AnyRecord, isService, type Resource, resources } from '#api/resource'
import { protectingTag } from '#api/service-states'
import type { UnreadableAnswerError } from '#base/errors'
import type { Seam } from '#base/seam'
import { parseTimestamp } from '#base/timestamp'
import type { ReadMalformed } from '#client/answer'
import type { CallOptions, Client } from '#client/client'
import type { Intent, Plan } from '../base/journaled.ts'
import { idOf, idOfMalformed, listRecords } from '../base/read-record.ts'

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Length of the random part that replaces a `*`: eight characters of an alphabet of 36 have 41 bits. */
export const randomPartLength = 8

export function randomPart(seam: Pick<Seam, 'random'>, length: number): string {
  return Array.from({ length }, () => alphabet[Math.floor(seam.random() * alphabet.length)]).join('')
}

export const hasRandomPart = (name: string) => name.includes('*')

/** Replaces each `*` in a name with the same random part, so that only this run can have used the name. */
export function fillRandomPart(name: string, seam: Pick<Seam, 'random'>): string {
  return name.replaceAll('*', randomPart(seam, randomPartLength))
}

export const filledLength = (name: string) =>
  name.length + (name.split('*').length - 1) * (randomPartLength - 1)

/** The fields that identify a record whose id is unknown; a peering has no name. */
const identifyingFields: Record<Resource, string[]> = {
  service: ['name'],
  replica_set: ['name'],
  vpc: ['name'],
  peering: ['peer_account_id', 'peer_region_code', 'peer_vpc_id'],
}

/** Lists the records with the plan's identifying fields, oldest first. Calls `readMalformed` for malformed records that may have them. */
async function listMatching(
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

/**
 * Orders by creation date, then by id, so that all runs keep the same record of two duplicates. Only services have a
 * creation date; the ids of VPCs and peerings are growing numbers (docs/internals/api.md, "Records").
 */
export function byAge(resource: Resource): (first: AnyRecord, second: AnyRecord) => number {
  // A record without a readable date counts as the youngest.
  const createdAt = ({ created }: AnyRecord) => parseTimestamp(created) ?? Number.MAX_VALUE
  return (first, second) => {
    const difference = createdAt(first) - createdAt(second)
    if (difference !== 0) return difference
    return idOf(resource, first).localeCompare(idOf(resource, second), 'en', { numeric: true })
  }
}

/** Plans a creating call. Lists the existing records of an exact name, so that none is mistaken for this run's. */
export async function planCreation(
  client: Client,
  call: Pick<Plan, 'operation' | 'resource' | 'ids' | 'isUniqueName' | 'parentId'>,
  parameters: Record<string, unknown>,
): Promise<Plan> {
  const match = Object.fromEntries(
    identifyingFields[call.resource].map(field => [field, String(parameters[field])]),
  )
  // A malformed record is not this run's either, if it becomes readable later.
  const malformedIds: string[] = []
  const noteMalformed: ReadMalformed = entry => {
    const id = idOfMalformed(call.resource, entry)
    if (id !== undefined && id !== '') malformedIds.push(id)
    return []
  }
  const matching = call.isUniqueName ? [] : await listMatching(client, { ...call, match }, noteMalformed)
  const existing = [...matching.map(record => idOf(call.resource, record)), ...malformedIds]
  return { ...call, match, existing, production: parameters.environment_tag === 'PROD' }
}

/** The planned record, for readers: `service "shop"`. */
export function describePlan({ resource, match }: Pick<Plan, 'resource' | 'match'>): string {
  return `${resources[resource].label} "${Object.values(match).join(' ')}"`
}

/** Milliseconds by which a record may seem older or younger than its request: clocks differ, and requests wait. */
const tolerance = { before: 3 * 60_000, after: 5 * 60_000 }

/** A record without a readable date cannot be excluded by its time. */
function isInTime({ created }: AnyRecord, { firstSent, lastSent }: Intent): boolean {
  const at = parseTimestamp(created)
  return at === undefined || (at >= firstSent - tolerance.before && at <= lastSent + tolerance.after)
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
 * @param onMalformed called for a malformed record that may be another candidate
 * @throws UnreadableAnswerError without `onMalformed`, if there is no candidate but a malformed record may be one
 */
export async function findCandidates(
  client: Client,
  intent: Intent,
  options?: CallOptions,
  onMalformed?: (problem: UnreadableAnswerError) => void,
): Promise<AnyRecord[]> {
  let malformed: UnreadableAnswerError | undefined
  const noteMalformed: ReadMalformed = (entry, problem) => {
    if (!intent.existing.includes(idOfMalformed(intent.resource, entry) ?? '')) malformed ??= problem
    return []
  }
  const matching = await listMatching(client, intent, noteMalformed, options)
  const candidates = intent.isUniqueName ? matching : matching.filter(record => !isByOtherRun(record, intent))
  if (malformed && onMalformed) onMalformed(malformed)
  else if (malformed && candidates.length === 0) throw malformed
  return candidates
}
