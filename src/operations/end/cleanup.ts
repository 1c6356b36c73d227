import { endpoints } from '#api/endpoints'
import { describeRecord, resources } from '#api/resource'
import { ActionError, CancelledError, renderAdvised } from '#base/errors'
import type { Calls, Cleanup, WithSettings } from '../base/context.ts'
import type { CreatedRecord, Intent } from '../base/journaled.ts'
import { isDeleted, readShown } from '../base/read-record.ts'
import { describePlan } from '../create/intent.ts'
import { waitUntilSettled } from '../wait/settled.ts'
import { askToDelete } from './ask-to-delete.ts'
import { findOthers, findUnanswered, findUnknown, restUntilListed } from './find-created.ts'
import { keepTrying } from './keep-trying.ts'
import { reasonToLeave } from './reason-to-leave.ts'

/** What the step wrote down before it ended or was killed. */
export interface Journaled {
  intent: Intent | undefined
  created: CreatedRecord | undefined
}

/** Deletes one record, unless a fresh read gives a reason to leave it alone; returns that reason. */
async function remove(
  context: Calls,
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
async function removeOrSayWhyNot(context: Calls, intent: Intent, record: CreatedRecord) {
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
  context: Calls,
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
async function outlast(context: Calls, leaving: CreatedRecord[]): Promise<void> {
  for (const { resource, ids } of leaving) {
    const { goal } = endpoints[resources[resource].delete]
    await keepTrying(context, () => waitUntilSettled(context, { goal, ids, lookAtOnce: true }))
  }
}

/**
 * Deletes what a proxy made of a single request that it sent twice; returns why it is left. One look, as late as possible,
 * since it may be listed late; and only where nobody else can have used the name. Where no answer told that the request
 * was processed long ago, the look waits until all that it made is listed.
 */
async function removeRepeated(
  context: Calls,
  intent: Intent,
  { handled, isAnswered }: { handled: CreatedRecord[]; isAnswered: boolean },
): Promise<string[]> {
  if (!intent.isOwnName || intent.posts > 1 || handled.length === 0) return []
  if (!isAnswered) await restUntilListed(context, intent)
  const { leaving, left } = await askForDeletions(
    context,
    intent,
    await findUnknown(context, intent, handled),
  )
  await outlast(context, leaving)
  return left
}

/**
 * Deletes known records before it looks for others, and sends every DELETE before it waits for any of them: no record
 * may be left because another one used up the time.
 */
async function removeAll(
  context: Calls,
  intent: Intent,
  created: CreatedRecord | undefined,
): Promise<string[]> {
  const known = created ? [created] : await findUnanswered(context, intent)
  if (known.length === 0) context.log.info('cleanup: found nothing that this step created')
  const first = await askForDeletions(context, intent, known)
  const [only] = known.length === 1 ? known : []
  const others = only ? await findOthers(context, intent, only) : []
  const second = await askForDeletions(context, intent, others)
  const all = { handled: [...known, ...others], isAnswered: created !== undefined }
  try {
    await outlast(context, [...first.leaving, ...second.leaving])
  } catch (failure) {
    await removeRepeated(context, intent, all).catch(() => undefined)
    throw failure
  }
  return [...first.left, ...second.left, ...(await removeRepeated(context, intent, all))]
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
export async function cleanUp(context: Calls & WithSettings<'dryRun'>, journaled: Journaled): Promise<void> {
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
