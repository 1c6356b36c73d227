import { endpoints } from '../../api/endpoints.ts'
import { type AnyRecord, describeRecord, resources } from '../../api/resource.ts'
import { ActionError, ApiError, CancelledError, renderAdvised } from '../../base/errors.ts'
import { isKeyRefusal, isPassing } from '../../client/retry.ts'
import type { Cleanup, Context, CreatedRecord, Intent } from '../base/context.ts'
import { idOf, isDeleted, readShown } from '../base/read-record.ts'
import { latestAppearance, latestListing } from '../create/create-once.ts'
import { describePlan, findCandidates } from '../create/intent.ts'
import { waitUntilSettled } from '../wait/settled.ts'
import { waitUpTo } from '../wait/wait-log.ts'
import { askToDelete } from './ask-to-delete.ts'
import { keepTrying, pause } from './keep-trying.ts'
import { reasonToLeave } from './reason-to-leave.ts'

/** What the step wrote down before it ended or was killed. */
export interface Journaled {
  intent: Intent | undefined
  created: CreatedRecord | undefined
}

/** Looks for records that the intent may have made, until one is found or `patience` milliseconds are over. */
async function lookFor(
  context: Context,
  intent: Intent,
  patience: number,
  isSought: (record: AnyRecord) => boolean = () => true,
): Promise<AnyRecord[]> {
  const { seam, signal, client } = context
  const end = seam.now() + patience
  const awaited = {
    what: `for ${describePlan(intent)} to appear in the list`,
    why: 'a request may be processed late, and its record listed late too',
  }
  return await waitUpTo(context, awaited, async progress => {
    for (;;) {
      const found = (await keepTrying(context, () => findCandidates(client, intent))).filter(isSought)
      if (found.length > 0 || seam.now() >= end) return found
      progress.name(end - seam.now())
      progress.remind(`${describePlan(intent)} did not appear yet`)
      await seam.sleep(Math.min(pause, end - seam.now()), signal)
    }
  })
}

/**
 * Looks once for what a refused request made all the same. Where the list is refused as well, as by a key that may do
 * nothing here, the refusal is believed.
 */
async function lookAfterRefusal(context: Context, intent: Intent): Promise<AnyRecord[]> {
  const { client, log, signal } = context
  log.info(`cleanup: looking once for ${describePlan(intent)}, the request for it was refused`)
  try {
    return await keepTrying(context, () => findCandidates(client, intent), pause)
  } catch (failure) {
    signal.throwIfAborted()
    const isRefused = isKeyRefusal(failure) || (failure instanceof ApiError && !isPassing(failure))
    if (!isRefused) throw failure
    log.info(`cleanup: ${failure.message}`)
    return []
  }
}

/**
 * Finds what an intent without an answer may have made. Its request may be processed late, and its record listed late
 * too; only after that time does an empty list mean that nothing was made.
 */
async function search(context: Context, intent: Intent): Promise<AnyRecord[]> {
  if (intent.refused) return await lookAfterRefusal(context, intent)
  context.log.info(`cleanup: looking for ${describePlan(intent)}, the answer to its request was lost`)
  // The step itself may have looked for long enough already.
  return await lookFor(context, intent, intent.searched ? latestListing : latestAppearance)
}

/** A record found by its name. It is certainly this step's only when nobody else can have used that name. */
function foundRecord({ resource, ids, isOwnName }: Intent, record: AnyRecord): CreatedRecord {
  return {
    resource,
    ids: { ...ids, [resources[resource].id]: idOf(resource, record) },
    certain: isOwnName,
  }
}

/** Other records of the same name: when a request was sent twice, each may have made one. */
async function findOthers(
  context: Context,
  intent: Intent,
  { resource, ids }: CreatedRecord,
): Promise<CreatedRecord[]> {
  if (intent.posts <= 1) return []
  const known = ids[resources[resource].id]
  // Both moments are by the server's clock, which was known when the second request was sent.
  const left = intent.lastSent + latestAppearance - context.client.date()
  const patience = Math.min(latestAppearance, Math.max(0, left))
  const found = await lookFor(context, intent, patience, record => idOf(resource, record) !== known)
  return found.map(record => foundRecord(intent, record))
}

/** Deletes one record, unless a fresh read gives a reason to leave it alone; returns that reason. */
async function remove(
  context: Context,
  intent: Intent,
  { resource, ids }: CreatedRecord,
): Promise<string | undefined> {
  const record = await keepTrying(context, () => readShown(context.client, resource, ids))
  if (record !== undefined && isDeleted(record)) return undefined
  const reason = record === undefined ? undefined : reasonToLeave(record, intent)
  if (reason !== undefined) return `${describeRecord(resource, ids)} is left alone: ${reason}`
  context.log.info(`cleanup: deleting ${describeRecord(resource, ids)}, which this step created`)
  // What was seen need not be waited for: a 404 then means that it is gone.
  const sent = record === undefined ? intent.lastSent : undefined
  await keepTrying(context, () => askToDelete(context, resource, ids, sent))
  return undefined
}

/** A record that cannot be deleted must not keep the others from being deleted. */
async function removeOrSayWhyNot(context: Context, intent: Intent, record: CreatedRecord) {
  try {
    return await remove(context, intent, record)
  } catch (failure) {
    context.signal.throwIfAborted()
    return `${describeRecord(record.resource, record.ids)} could not be deleted: ${renderAdvised(failure)}`
  }
}

/** Not deleted: records known only by an exact name, which another job may have used too. */
function doubt(intent: Intent, records: CreatedRecord[]): string[] {
  if (records.length === 0) return []
  const labels = records.map(({ resource, ids }) => describeRecord(resource, ids)).join(' or ')
  return [
    `this step may have created ${labels} as ${describePlan(intent)}, but its answer was lost and another job may use the same name: left alone (put a * in the name, and the end of the job can be certain)`,
  ]
}

/** Asks for the deletion of this step's own records. Returns those being deleted, and why the others are left. */
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

/** Waits until all of them are gone. */
async function outlast(context: Context, leaving: CreatedRecord[]): Promise<void> {
  for (const { resource, ids } of leaving) {
    const { goal } = endpoints[resources[resource].delete]
    await keepTrying(context, () => waitUntilSettled(context, { goal, ids, lookAtOnce: true }))
  }
}

/**
 * Deletes what a proxy made of a single request that it sent twice; returns why it is left. One look, as late as possible,
 * since it may be listed late; and only where nobody else can have used the name.
 */
async function removeRepeated(context: Context, intent: Intent, handled: CreatedRecord[]): Promise<string[]> {
  if (!intent.isOwnName || intent.posts > 1 || handled.length === 0) return []
  const known = handled.map(({ resource, ids }) => ids[resources[resource].id])
  const found = await keepTrying(context, () => findCandidates(context.client, intent))
  const others = found.filter(record => !known.includes(idOf(intent.resource, record)))
  const { leaving, left } = await askForDeletions(
    context,
    intent,
    others.map(record => foundRecord(intent, record)),
  )
  await outlast(context, leaving)
  return left
}

/**
 * Deletes known records before it looks for others, and sends every DELETE before it waits for any of them: no record
 * may be left because another one used up the time.
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
  const handled = [...known, ...others]
  try {
    await outlast(context, [...first.leaving, ...second.leaving])
  } catch (failure) {
    await removeRepeated(context, intent, handled).catch(() => undefined)
    throw failure
  }
  return [...first.left, ...second.left, ...(await removeRepeated(context, intent, handled))]
}

/** The values of `job.status` for a failed job. No other value, nor a missing one, counts as a failure. */
const failedStatuses = ['failure', 'cancelled']

/** Whether the end of the job is to delete what the step created. */
export function isCleanupDue(cleanup: Cleanup, jobStatus: string | undefined): boolean {
  return cleanup === 'always' || (cleanup === 'on-failure' && failedStatuses.includes(jobStatus ?? ''))
}

/** Everything known about what may be left, for the error that ends a cleanup. */
function describeLeft({ intent, created }: Journaled): string {
  const what = created ? describeRecord(created.resource, created.ids) : undefined
  const named = intent && describePlan(intent)
  return [what, named].filter(part => part !== undefined).join(', ')
}

/**
 * Deletes what the step created: records whose id the API answered with, or whose name only this step can have used.
 *
 * @throws ActionError naming what may be left
 */
export async function cleanUp(context: Context, journaled: Journaled): Promise<void> {
  const { intent, created } = journaled
  if (intent === undefined) return
  if (context.settings.dryRun) {
    context.log.warning(
      `cleanup: would delete ${describeLeft(journaled)}, but this is a dry run: it still costs money`,
    )
    return
  }
  let left: string[]
  try {
    left = await removeAll(context, intent, created)
  } catch (failure) {
    // The advice for a cancelled step does not fit a cancelled cleanup.
    const why = failure instanceof CancelledError ? failure.message : renderAdvised(failure)
    throw new ActionError(
      `cleanup of ${describeLeft(journaled)} failed: ${why}`,
      'delete it by hand if it is still there, since it costs money',
      { cause: failure },
    )
  }
  if (left.length > 0)
    throw new ActionError(`cleanup: ${left.join('; ')}`, 'delete it by hand if it is no longer needed')
}
