import { endpoints } from '../api/endpoints.ts'
import { type Resource, resources } from '../api/resource.ts'
import {
  ActionError,
  AnswerTooLargeError,
  ApiError,
  CancelledError,
  renderAdvised,
  UnreadableAnswerError,
} from '../client/errors.ts'
import { isPassing } from '../client/retry.ts'
import { askToDelete } from './ask-to-delete.ts'
import type { Cleanup, Context, CreatedRecord, Intent } from './context.ts'
import { latestAppearance, latestListing } from './create-once.ts'
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

/** Looks for what may have come of the intent until something is found, or time is up; milliseconds. */
async function lookFor(
  context: Context,
  intent: Intent,
  patience: number,
  isSought: (record: unknown) => boolean = () => true,
): Promise<unknown[]> {
  const { seam, signal, client } = context
  const end = seam.now() + patience
  for (;;) {
    const found = (await persist(context, () => findCandidates(client, intent))).filter(isSought)
    if (found.length > 0 || seam.now() >= end) return found
    await seam.sleep(pause, signal)
  }
}

/**
 * What may have come of an intent whose answer never came. Its request may be processed only now, and its record be
 * listed late: until that cannot be any more, an empty list says nothing.
 */
async function search(context: Context, intent: Intent): Promise<unknown[]> {
  context.log.info(`cleanup: looking for ${describePlan(intent)}, the answer to its request was lost`)
  // A step that had the time looked for it already, for as long as a request may be processed late.
  return await lookFor(context, intent, intent.searched ? latestListing : latestAppearance)
}

/** A record that was found by its name: certain only where nobody else can have used that. */
function foundRecord({ resource, ids, isOwnName }: Intent, record: unknown): CreatedRecord {
  return {
    resource,
    ids: { ...ids, [resources[resource].id]: idOf(resource, record) },
    certain: isOwnName,
  }
}

/** Records beside the known one that bear its name: a second request was sent, and the first may have made one too. */
async function findOthers(
  context: Context,
  intent: Intent,
  { resource, ids }: CreatedRecord,
): Promise<CreatedRecord[]> {
  if (intent.posts === 1) return []
  const known = ids[resources[resource].id]
  // The server's clock is known by now, and was known when the second request was sent.
  const left = intent.lastSent + latestAppearance - context.client.date()
  const patience = Math.min(latestAppearance, Math.max(0, left))
  const found = await lookFor(context, intent, patience, record => idOf(resource, record) !== known)
  return found.map(record => foundRecord(intent, record))
}

/** Deletes one record, unless a fresh look at it speaks against that; gives the reason where it is left alone. */
async function remove(
  context: Context,
  intent: Intent,
  { resource, ids }: CreatedRecord,
): Promise<string | undefined> {
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
    return `${label(record.resource, record.ids)} could not be deleted: ${renderAdvised(failure)}`
  }
}

/** An exact name may be another job's too: what bears it and was never answered for is not deleted. */
function doubt(intent: Intent, records: CreatedRecord[]): string[] {
  if (records.length === 0) return []
  const labels = records.map(({ resource, ids }) => label(resource, ids)).join(' or ')
  return [
    `this step may have created ${labels} as ${describePlan(intent)}, but its answer was lost and another job may use the same name: left alone (put a * in the name, and the end of the job can be certain)`,
  ]
}

/** Asks for the deletion of what is certainly this step's; gives what is on its way out, and why the rest is left. */
async function askForDeletions(
  context: Context,
  intent: Intent,
  records: CreatedRecord[],
): Promise<{ leaving: CreatedRecord[]; left: string[] }> {
  const left = doubt(
    intent,
    records.filter(({ certain }) => !certain),
  )
  const leaving: CreatedRecord[] = []
  for (const record of records.filter(({ certain }) => certain)) {
    const reason = await removeOrSayWhyNot(context, intent, record)
    if (reason === undefined) leaving.push(record)
    else left.push(reason)
  }
  return { leaving, left }
}

/**
 * Deletes what is known before it looks for others, and asks for each deletion before it waits for any: none may be
 * left because another one took all of the time.
 */
async function removeAll(
  context: Context,
  intent: Intent,
  created: CreatedRecord | undefined,
): Promise<string[]> {
  const known = created
    ? [created]
    : (await search(context, intent)).map(record => foundRecord(intent, record))
  if (known.length === 0) context.log.info('cleanup: found nothing that this step created')
  const first = await askForDeletions(context, intent, known)
  const [only] = known.length === 1 ? known : []
  const others = only ? await findOthers(context, intent, only) : []
  const second = await askForDeletions(context, intent, others)
  for (const { resource, ids } of [...first.leaving, ...second.leaving]) {
    const { settled } = endpoints[resources[resource].delete]
    const wait = { settled, asked: {}, ids, justCreated: false, lookAtOnce: true }
    await persist(context, () => waitUntilSettled(context, wait))
  }
  return [...first.left, ...second.left]
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
 * @throws ActionError naming what may be left
 */
export async function cleanUp(context: Context, journaled: Journaled): Promise<void> {
  const { intent, created } = journaled
  if (intent === undefined) return
  if (context.settings.dryRun) {
    context.log.warning(
      `cleanup: would delete ${describeLeft(journaled)}, but this is a dry run: it goes on costing`,
    )
    return
  }
  let left: string[]
  try {
    left = await removeAll(context, intent, created)
  } catch (failure) {
    // What to do after a cancelled step is not what to do after a cancelled cleanup.
    const why = failure instanceof CancelledError ? failure.message : renderAdvised(failure)
    throw new ActionError(
      `cleanup of ${describeLeft(journaled)} failed: ${why}`,
      'delete it by hand if it is still there: it goes on costing',
      { cause: failure },
    )
  }
  if (left.length > 0)
    throw new ActionError(`cleanup: ${left.join('; ')}`, 'delete it by hand if it is no longer needed')
}
