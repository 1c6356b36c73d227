/** Finds and deletes, in the post step, the records that the step created. */
import { endpoints } from '#api/endpoints'
import { describeRecord, resources } from '#api/resource'
import { ActionError, ApiError, CancelledError, renderAdvised } from '#base/errors'
import { isKeyRefusal, isTemporary } from '#client/retry'
import type { Calls, Cleanup, WithSettings } from '../base/context.ts'
import type { CreatedRecord, Intent, Journaled } from '../base/journaled.ts'
import { idOf, isDeleted, readShown, withId } from '../base/read-record.ts'
import { latestAppearance, latestListing } from '../create/create-once.ts'
import { describePlan, findCandidates } from '../create/intent.ts'
import { waitUntilSettled } from '../wait/settled.ts'
import { logAndPause, waitFor } from '../wait/wait-log.ts'
import { attemptInterval, keepTrying, reasonToKeep, requestDeletion } from './request-deletion.ts'

/** Finds further records that the intent may have created. Only a unique name makes them certainly this step's. */
async function findFurther(context: Calls, intent: Intent, known: CreatedRecord[], patience?: number) {
  const { resource, ids, isUniqueName } = intent
  const knownIds = known.map(record => record.ids[resources[resource].id])
  const found = await keepTrying(context, () => findCandidates(context.client, intent), patience)
  return found
    .filter(record => !knownIds.includes(idOf(resource, record)))
    .map(record => ({ resource, ids: withId(ids, resource, record), certain: isUniqueName }))
}

/** Searches for records that the intent may have created, until one is found or `patience` milliseconds have passed. */
async function searchFor(context: Calls, intent: Intent, patience: number, known: CreatedRecord[] = []) {
  const found = await waitFor(context, {
    what: `for ${describePlan(intent)} to appear in the list`,
    why: 'the API may process a request late, and list its record late',
    interval: attemptInterval,
    until: context.seam.now() + patience,
    check: async () => {
      const records = await findFurther(context, intent, known)
      return records.length > 0 ? records : undefined
    },
  })
  return found ?? []
}

/** Searches once for the record of a refused request. If listing is refused too, the refusal counts as final. */
async function searchAfterRefusal(context: Calls, intent: Intent): Promise<CreatedRecord[]> {
  const { log, signal } = context
  log.info(`cleanup: searching once for ${describePlan(intent)}, whose request was refused`)
  try {
    return await findFurther(context, intent, [], attemptInterval)
  } catch (failure) {
    signal.throwIfAborted()
    const isRefused = isKeyRefusal(failure) || (failure instanceof ApiError && !isTemporary(failure))
    if (!isRefused) throw failure
    log.info(`cleanup: ${failure.message}`)
    return []
  }
}

/** Finds records after a lost answer. An empty list is proof only after the delays of processing and listing. */
async function findAfterLostAnswer(context: Calls, intent: Intent): Promise<CreatedRecord[]> {
  if (intent.refused) return await searchAfterRefusal(context, intent)
  const plan = describePlan(intent)
  context.log.info(`cleanup: searching for ${plan}, because the answer to its request was lost`)
  // The step itself may have searched long enough already.
  return await searchFor(context, intent, intent.searched ? latestListing : latestAppearance)
}

/** Finds further records if the step sent two requests: each may have created one. */
async function findOfOtherRequest(context: Calls, intent: Intent, known: CreatedRecord) {
  if (intent.posts <= 1) return []
  // Both times are by the server's clock, which was known when the second request was sent.
  const left = intent.lastSent + latestAppearance - context.client.date()
  return await searchFor(context, intent, Math.min(latestAppearance, Math.max(0, left)), [known])
}

/** Pauses until the list shows a second record that a proxy may have created. */
async function pauseUntilListed(context: Calls, intent: Intent): Promise<void> {
  const { client, settings } = context
  const left = intent.lastSent + settings.listLag - client.date()
  await logAndPause(context, Math.min(settings.listLag, left), {
    what: `for a second ${describePlan(intent)}`,
    why: 'a proxy may have repeated the request, and the API may list its record late',
  })
}

/** Deletes a record; returns the reason if it remains. Never throws for a failure, since other records follow. */
async function deleteRecord(context: Calls, intent: Intent, { resource, ids }: CreatedRecord) {
  const label = describeRecord(resource, ids)
  try {
    const record = await keepTrying(context, () => readShown(context.client, resource, ids))
    if (record !== undefined && isDeleted(record)) return undefined
    const reason = record === undefined ? undefined : reasonToKeep(record, intent)
    if (reason !== undefined) return `${label} is kept: ${reason}`
    context.log.info(`cleanup: deleting ${label}, which this step created`)
    // After a read that found the record, a 404 means that it is gone.
    const createdAt = record === undefined ? intent.lastSent : undefined
    await keepTrying(context, () => requestDeletion(context, resource, ids, createdAt))
    return undefined
  } catch (failure) {
    context.signal.throwIfAborted()
    return `${label} could not be deleted: ${renderAdvised(failure)}`
  }
}

/** Records known only by an exact name are kept, because another job may have used it too. */
function describeUncertain(intent: Intent, records: CreatedRecord[]): string {
  const labels = records.map(({ resource, ids }) => describeRecord(resource, ids)).join(' or ')
  return `this step may have created ${labels} as ${describePlan(intent)}, but its answer was lost and another job may use the same name: it is kept (put a * in the name, so that the post step can identify its own records)`
}

/** Requests the deletion of records. Returns those being deleted, and the reasons why others remain. */
async function requestDeletions(context: Calls, intent: Intent, records: CreatedRecord[]) {
  const uncertain = records.filter(({ certain }) => !certain)
  const reasons = uncertain.length > 0 ? [describeUncertain(intent, uncertain)] : []
  const deleting: CreatedRecord[] = []
  for (const record of records.filter(({ certain }) => certain)) {
    const reason = await deleteRecord(context, intent, record)
    if (reason === undefined) deleting.push(record)
    else reasons.push(reason)
  }
  return { deleting, reasons }
}

async function waitUntilDeleted(context: Calls, deleting: CreatedRecord[]): Promise<void> {
  for (const { resource, ids } of deleting) {
    const { goal } = endpoints[resources[resource].delete]
    await keepTrying(context, () => waitUntilSettled(context, { goal, ids, startsWithCheck: true }))
  }
}

/**
 * Deletes further records of a request that a proxy sent twice. Returns the reasons why others remain. Lists may lag,
 * so it reads the list only once, and late.
 */
async function deleteRepeats(context: Calls, intent: Intent, handled: CreatedRecord[], isAnswered: boolean) {
  if (!intent.isUniqueName || intent.posts > 1 || handled.length === 0) return []
  if (!isAnswered) await pauseUntilListed(context, intent)
  const found = await findFurther(context, intent, handled)
  const { deleting, reasons } = await requestDeletions(context, intent, found)
  await waitUntilDeleted(context, deleting)
  return reasons
}

/**
 * Deletes all records of the step. Returns the reasons why some remain. The known record comes before any search, and
 * every DELETE before any wait, because the post step may run out of time.
 */
async function deleteAll(context: Calls, intent: Intent, created: CreatedRecord | undefined) {
  const known = created ? [created] : await findAfterLostAnswer(context, intent)
  if (known.length === 0) context.log.info('cleanup: found no record that this step created')
  const first = await requestDeletions(context, intent, known)
  const only = known.length === 1 ? known[0] : undefined
  const others = only ? await findOfOtherRequest(context, intent, only) : []
  const second = await requestDeletions(context, intent, others)
  const deleteFurther = () => deleteRepeats(context, intent, [...known, ...others], created !== undefined)
  try {
    await waitUntilDeleted(context, [...first.deleting, ...second.deleting])
  } catch (failure) {
    await deleteFurther().catch(() => undefined)
    throw failure
  }
  return [...first.reasons, ...second.reasons, ...(await deleteFurther())]
}

/** The values of `job.status` for a failed job. No other value, nor a missing one, counts as a failure. */
const failedStatuses = ['failure', 'cancelled']

export function isCleanupDue(cleanup: Cleanup, jobStatus: string | undefined): boolean {
  return cleanup === 'always' || (cleanup === 'on-failure' && failedStatuses.includes(jobStatus ?? ''))
}

/** Names every record that may remain, for the error of a failed cleanup. */
function describeJournaled({ intent, created }: Journaled): string {
  const parts = [created && describeRecord(created.resource, created.ids), intent && describePlan(intent)]
  return parts.filter(part => part !== undefined).join(', ')
}

/** Deletes the records of the step, by id or by unique name. @throws ActionError naming those that may remain */
export async function cleanUp(context: Calls & WithSettings<'dryRun'>, journaled: Journaled): Promise<void> {
  const { intent, created } = journaled
  if (intent === undefined) return
  if (context.settings.dryRun) {
    context.log.warning(
      `cleanup: would delete ${describeJournaled(journaled)}, but this is a dry run, so it still costs money`,
    )
    return
  }
  let reasons: string[]
  try {
    reasons = await deleteAll(context, intent, created)
  } catch (failure) {
    // The advice for a cancelled step does not fit a cancelled cleanup.
    const why = failure instanceof CancelledError ? failure.message : renderAdvised(failure)
    throw new ActionError(
      `cleanup of ${describeJournaled(journaled)} failed: ${why}`,
      'delete it by hand if it still exists, since it costs money',
      { cause: failure },
    )
  }
  if (reasons.length > 0)
    throw new ActionError(`cleanup: ${reasons.join('; ')}`, 'delete it by hand if you no longer need it')
}
