/** Deletes the records of a step in its post step. */
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
import { reasonToKeep } from './reason-to-keep.ts'

export interface Journaled {
  intent: Intent | undefined
  created: CreatedRecord | undefined
}

/** Returns why a record remains. If it cannot be deleted, the others are deleted nevertheless. */
async function remove(context: Calls, intent: Intent, { resource, ids }: CreatedRecord) {
  const label = describeRecord(resource, ids)
  try {
    const record = await keepTrying(context, () => readShown(context.client, resource, ids))
    if (record !== undefined && isDeleted(record)) return undefined
    const reason = record === undefined ? undefined : reasonToKeep(record, intent)
    if (reason !== undefined) return `${label} is kept: ${reason}`
    context.log.info(`cleanup: deleting ${label}, which this step created`)
    // The record was just read, so a 404 means that it is gone.
    const sent = record === undefined ? intent.lastSent : undefined
    await keepTrying(context, () => askToDelete(context, resource, ids, sent))
    return undefined
  } catch (failure) {
    context.signal.throwIfAborted()
    return `${label} could not be deleted: ${renderAdvised(failure)}`
  }
}

/** Records known only by an exact name are kept, because another job may have used it too. */
function doubt(intent: Intent, records: CreatedRecord[]): string {
  const labels = records.map(({ resource, ids }) => describeRecord(resource, ids)).join(' or ')
  return `this step may have created ${labels} as ${describePlan(intent)}, but its answer was lost and another job may use the same name: it is kept (put a * in the name, so that the post step can identify its own records)`
}

/** Requests the deletion of records. Returns those that disappear, and why the others remain. */
async function askForDeletions(context: Calls, intent: Intent, records: CreatedRecord[]) {
  const uncertain = records.filter(({ certain }) => !certain)
  const left = uncertain.length > 0 ? [doubt(intent, uncertain)] : []
  const leaving: CreatedRecord[] = []
  for (const record of records.filter(({ certain }) => certain)) {
    const reason = await remove(context, intent, record)
    if (reason === undefined) leaving.push(record)
    else left.push(reason)
  }
  return { leaving, left }
}

async function outlast(context: Calls, leaving: CreatedRecord[]): Promise<void> {
  for (const { resource, ids } of leaving) {
    const { goal } = endpoints[resources[resource].delete]
    await keepTrying(context, () => waitUntilSettled(context, { goal, ids, startsWithCheck: true }))
  }
}

/** Deletes further records of one request that a proxy sent twice. Returns why others stay. Lists may lag, so it reads the list once and late. */
async function removeRepeated(context: Calls, intent: Intent, handled: CreatedRecord[], isAnswered: boolean) {
  if (!intent.isUniqueName || intent.posts > 1 || handled.length === 0) return []
  if (!isAnswered) await restUntilListed(context, intent)
  const found = await findUnknown(context, intent, handled)
  const { leaving, left } = await askForDeletions(context, intent, found)
  await outlast(context, leaving)
  return left
}

/** Deletes known records before it searches, and sends every DELETE before it waits: no wait uses up the time of another. */
async function removeAll(context: Calls, intent: Intent, created: CreatedRecord | undefined) {
  const known = created ? [created] : await findUnanswered(context, intent)
  if (known.length === 0) context.log.info('cleanup: found no record that this step created')
  const first = await askForDeletions(context, intent, known)
  const [only] = known.length === 1 ? known : []
  const others = only ? await findOthers(context, intent, only) : []
  const second = await askForDeletions(context, intent, others)
  const again = () => removeRepeated(context, intent, [...known, ...others], created !== undefined)
  try {
    await outlast(context, [...first.leaving, ...second.leaving])
  } catch (failure) {
    await again().catch(() => undefined)
    throw failure
  }
  return [...first.left, ...second.left, ...(await again())]
}

/** The values of `job.status` for a failed job. No other value, nor a missing one, counts as a failure. */
const failedStatuses = ['failure', 'cancelled']

export function isCleanupDue(cleanup: Cleanup, jobStatus: string | undefined): boolean {
  return cleanup === 'always' || (cleanup === 'on-failure' && failedStatuses.includes(jobStatus ?? ''))
}

/** Names every record that may remain, for the error of a failed cleanup. */
function describeLeft({ intent, created }: Journaled): string {
  const parts = [created && describeRecord(created.resource, created.ids), intent && describePlan(intent)]
  return parts.filter(part => part !== undefined).join(', ')
}

/**
 * Deletes the records that the step created: those whose id the API returned, and those with the step's unique name.
 * @throws ActionError naming the records that may remain
 */
export async function cleanUp(context: Calls & WithSettings<'dryRun'>, journaled: Journaled): Promise<void> {
  const { intent, created } = journaled
  if (intent === undefined) return
  if (context.settings.dryRun) {
    context.log.warning(
      `cleanup: would delete ${describeLeft(journaled)}, but this is a dry run, so it still costs money`,
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
      'delete it by hand if it still exists, since it costs money',
      { cause: failure },
    )
  }
  if (left.length > 0)
    throw new ActionError(`cleanup: ${left.join('; ')}`, 'delete it by hand if you no longer need it')
}
