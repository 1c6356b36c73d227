import { endpoints } from '../api/endpoints.ts'
import { type Resource, resources } from '../api/resource.ts'
import { ActionError, AnswerTooLargeError, ApiError, UnreadableAnswerError } from '../client/errors.ts'
import { isPassing } from '../client/retry.ts'
import { askToDelete } from './ask-to-delete.ts'
import type { Cleanup, Context, CreatedRecord, Intent } from './context.ts'
import { latestAppearance } from './create-once.ts'
import { describePlan, findCandidates } from './intent.ts'
import type { Ids } from './outcome.ts'
import { idOf, readRecord } from './read-record.ts'
import { reasonToLeave } from './reason-to-leave.ts'
import { WaitError, waitUntilSettled } from './settled.ts'

/** What the step wrote down before it ended or was killed. */
export interface Journaled {
  intent: Intent | undefined
  created: CreatedRecord | undefined
}

/** Something that the step created may still be there. */
export class CleanupError extends ActionError {}

const label = (resource: Resource, ids: Ids) => `${resources[resource].label} ${ids[resources[resource].id]}`

/** Milliseconds between two tries; how long the API may go on refusing the key before that is believed. */
const pause = 5000
const refusalPatience = 60_000

const isRefusal = (failure: unknown) =>
  failure instanceof ApiError && (failure.status === 401 || failure.status === 403)

/** A wait says what made it give up. */
const reasonOf = (failure: unknown) => (failure instanceof WaitError ? failure.cause : failure)

/**
 * Tries until the deadline, whatever passes by itself: after the end of a job nothing comes that could try again, and
 * the time is there. A page of a proxy or a single refused key is no answer.
 */
async function persist<Result>(context: Context, attempt: () => Promise<Result>): Promise<Result> {
  const { seam, log, signal, deadline } = context
  let refusedSince: number | undefined
  for (;;) {
    try {
      return await attempt()
    } catch (failure) {
      signal.throwIfAborted()
      const reason = reasonOf(failure)
      refusedSince = isRefusal(reason) ? (refusedSince ?? seam.now()) : undefined
      const isNoAnswer = reason instanceof UnreadableAnswerError || reason instanceof AnswerTooLargeError
      const mayPass = isPassing(reason) || isNoAnswer
      const isPatient = refusedSince !== undefined && seam.now() - refusedSince < refusalPatience
      if (!(mayPass || isPatient) || seam.now() + pause > deadline) throw failure
      log.info(`cleanup: ${(failure as Error).message}; trying again`)
    }
    await seam.sleep(pause, signal)
  }
}

/**
 * What may have come of an intent whose answer never came. Its request may be processed only now, and its record be
 * listed late: until that cannot be any more, an empty list says nothing.
 */
async function search(context: Context, intent: Intent): Promise<unknown[]> {
  const { seam, signal, client, log } = context
  // A step that had the time looked for it already, for as long as a request may be processed late.
  const end = seam.now() + (intent.searched ? 3 * context.settings.listLag : latestAppearance)
  log.info(`cleanup: looking for ${describePlan(intent)}, the answer to its request was lost`)
  for (;;) {
    const found = await persist(context, () => findCandidates(client, intent))
    if (found.length > 0 || seam.now() >= end) return found
    await seam.sleep(pause, signal)
  }
}

/** An exact name may be another job's too: what bears it and was never answered for is not deleted. */
function doubt(intent: Intent, what: string): CleanupError {
  return new CleanupError(
    `cleanup: this step may have created ${what} as ${describePlan(intent)}, but its answer was lost and another job may use the same name: left alone`,
    'delete it by hand if no other job uses it; put a * in the name, and the end of the job can be certain',
  )
}

/** What the step created without learning its id. */
async function findCreated(context: Context, intent: Intent): Promise<CreatedRecord[]> {
  const { resource, ids, isOwnName } = intent
  const found = (await search(context, intent)).map(record => idOf(resource, record))
  if (found.length > 0 && !isOwnName)
    throw doubt(intent, found.map(id => `${resources[resource].label} ${id}`).join(' or '))
  return found.map(id => ({ resource, ids: { ...ids, [resources[resource].id]: id }, certain: true }))
}

/**
 * What a second request created beside the record that is known: the step may have ended before it was listed. Of an
 * exact name it may be another job's.
 */
async function findTwins(context: Context, intent: Intent, created: CreatedRecord): Promise<CreatedRecord[]> {
  if (intent.posts === 1) return []
  const { seam, client, signal } = context
  const { resource, ids, isOwnName: certain } = intent
  const idName = resources[resource].id
  const end = seam.now() + latestAppearance
  for (;;) {
    const found = await persist(context, () => findCandidates(client, intent))
    const twins = found.map(record => idOf(resource, record)).filter(id => id !== created.ids[idName])
    const isOver = client.date() >= intent.lastSent + latestAppearance || seam.now() >= end
    if (twins.length > 0 || isOver)
      return twins.map(id => ({ resource, ids: { ...ids, [idName]: id }, certain }))
    await seam.sleep(pause, signal)
  }
}

/**
 * All that the step created: by its id where it learned it, and by its name where an answer was lost. What is known
 * comes first, so that it is deleted even where no time is left to look for more.
 */
async function* findAll(context: Context, { intent, created }: Journaled): AsyncGenerator<CreatedRecord> {
  if (intent === undefined) return
  if (created === undefined) {
    const found = await findCreated(context, intent)
    yield* found
    if (found.length === 1) yield* await findTwins(context, intent, found[0] as CreatedRecord)
    return
  }
  if (!created.certain) throw doubt(intent, label(created.resource, created.ids))
  yield created
  yield* await findTwins(context, intent, created)
}

/** Deletes one record, unless a fresh look at it speaks against that; gives the reason where it is left alone. */
async function remove(
  context: Context,
  intent: Intent,
  { resource, ids, certain }: CreatedRecord,
): Promise<string | undefined> {
  if (!certain) return `${label(resource, ids)} may be of this step as well, or another job's: left alone`
  const record = await persist(context, () => readRecord(context.client, resource, ids))
  const reason = record === undefined ? undefined : reasonToLeave(record, intent)
  if (reason !== undefined) return `${label(resource, ids)} is left alone: ${reason}`
  context.log.info(`cleanup: deleting ${label(resource, ids)}, which this step created`)
  await persist(context, () => askToDelete(context, resource, ids, intent.lastSent))
  return undefined
}

/** One that cannot be deleted must not keep the others alive. */
async function removeOrSayWhyNot(context: Context, intent: Intent, record: CreatedRecord) {
  try {
    return await remove(context, intent, record)
  } catch (failure) {
    context.signal.throwIfAborted()
    return `${label(record.resource, record.ids)} could not be deleted: ${(failure as Error).message}`
  }
}

/** Asks for each deletion before it waits for any: one that takes all of the time must not keep a twin alive. */
async function removeAll(
  context: Context,
  intent: Intent,
  records: AsyncIterable<CreatedRecord>,
): Promise<void> {
  const left: string[] = []
  const leaving: CreatedRecord[] = []
  for await (const record of records) {
    const reason = await removeOrSayWhyNot(context, intent, record)
    if (reason === undefined) leaving.push(record)
    else left.push(reason)
  }
  if (left.length + leaving.length === 0) context.log.info('cleanup: nothing was created')
  for (const { resource, ids } of leaving) {
    const { settled } = endpoints[resources[resource].delete]
    const wait = { settled, asked: {}, ids, justCreated: false, lookAtOnce: true }
    await persist(context, () => waitUntilSettled(context, wait))
  }
  if (left.length > 0)
    throw new CleanupError(`cleanup: ${left.join('; ')}`, 'delete it by hand if it is no longer needed')
}

/** Whether the end of the job shall delete what the step created. */
export function isCleanupDue(cleanup: Cleanup, jobStatus: string | undefined): boolean {
  // Where the status is not known, nothing says that the job failed.
  const hasFailed = jobStatus !== undefined && jobStatus !== 'success'
  return cleanup === 'always' || (cleanup === 'on-failure' && hasFailed)
}

/** All that is known of what may be left, for the error that ends a cleanup. */
function describeLeft({ intent, created }: Journaled): string {
  const what = created ? label(created.resource, created.ids) : undefined
  const named = intent && describePlan(intent)
  return [what, named].filter(part => part !== undefined).join(', ')
}

/**
 * Deletes what the step created: what it knows by an answered id, or by a name that only it can have used.
 *
 * @throws CleanupError naming what may be left
 */
export async function cleanUp(context: Context, journaled: Journaled): Promise<void> {
  const { intent } = journaled
  if (intent === undefined) return
  try {
    await removeAll(context, intent, findAll(context, journaled))
  } catch (failure) {
    if (failure instanceof CleanupError) throw failure
    throw new CleanupError(
      `cleanup of ${describeLeft(journaled)} failed: ${(failure as Error).message}`,
      'delete it by hand if it is still there: it goes on costing',
      { cause: failure },
    )
  }
}
