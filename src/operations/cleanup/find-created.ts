/** Finds, for the cleanup, the records that a step may have created. */
import { resources } from '#api/resource'
import { ApiError } from '#base/errors'
import { isKeyRefusal, isTemporary } from '#client/retry'
import type { Calls } from '../base/context.ts'
import type { CreatedRecord, Intent } from '../base/journaled.ts'
import { idOf, withId } from '../base/read-record.ts'
import { latestAppearance, latestListing } from '../create/create-once.ts'
import { describePlan, findCandidates } from '../create/intent.ts'
import { logAndPause, waitFor } from '../wait/wait-log.ts'
import { keepTrying, pause } from './keep-trying.ts'

/** Finds further records that the intent may have created. Only a unique name makes them certainly this step's. */
export async function findFurther(context: Calls, intent: Intent, known: CreatedRecord[], patience?: number) {
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
    interval: pause,
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
    return await findFurther(context, intent, [], pause)
  } catch (failure) {
    signal.throwIfAborted()
    const isRefused = isKeyRefusal(failure) || (failure instanceof ApiError && !isTemporary(failure))
    if (!isRefused) throw failure
    log.info(`cleanup: ${failure.message}`)
    return []
  }
}

/**
 * Finds the records of a request whose answer was lost. An empty list proves that none exists, but only after the delays
 * of processing and listing.
 */
export async function findAfterLostAnswer(context: Calls, intent: Intent): Promise<CreatedRecord[]> {
  if (intent.refused) return await searchAfterRefusal(context, intent)
  const plan = describePlan(intent)
  context.log.info(`cleanup: searching for ${plan}, because the answer to its request was lost`)
  // The step itself may have searched long enough already.
  return await searchFor(context, intent, intent.searched ? latestListing : latestAppearance)
}

/** Finds further records if the step sent two requests: each may have created one. */
export async function findOfOtherRequest(context: Calls, intent: Intent, known: CreatedRecord) {
  if (intent.posts <= 1) return []
  // Both times are by the server's clock, which was known when the second request was sent.
  const left = intent.lastSent + latestAppearance - context.client.date()
  return await searchFor(context, intent, Math.min(latestAppearance, Math.max(0, left)), [known])
}

/** Pauses until the list shows a second record that a proxy may have created. */
export async function pauseUntilListed(context: Calls, intent: Intent): Promise<void> {
  const { client, settings } = context
  const left = intent.lastSent + settings.listLag - client.date()
  await logAndPause(context, Math.min(settings.listLag, left), {
    what: `for a second ${describePlan(intent)}`,
    why: 'a proxy may have repeated the request, and the API may list its record late',
  })
}
