// Finds the records that a step may have created.

import { type AnyRecord, resources } from '#api/resource'
import { ApiError } from '#base/errors'
import { isKeyRefusal, isPassing } from '#client/retry'
import type { Calls } from '../base/context.ts'
import type { CreatedRecord, Intent } from '../base/journaled.ts'
import { idOf } from '../base/read-record.ts'
import { latestAppearance, latestListing } from '../create/create-once.ts'
import { describePlan, findCandidates } from '../create/intent.ts'
import { rest, waitFor } from '../wait/wait-log.ts'
import { keepTrying, pause } from './keep-trying.ts'

/** Only records found by a unique name are certainly this step's. */
function foundRecords({ resource, ids, isUniqueName }: Intent, records: AnyRecord[]): CreatedRecord[] {
  return records.map(record => ({
    resource,
    ids: { ...ids, [resources[resource].id]: idOf(resource, record) },
    certain: isUniqueName,
  }))
}

export async function findUnknown(
  context: Calls,
  intent: Intent,
  known: CreatedRecord[],
): Promise<CreatedRecord[]> {
  const ids = known.map(({ resource, ids: knownIds }) => knownIds[resources[resource].id])
  const found = await keepTrying(context, () => findCandidates(context.client, intent))
  return foundRecords(
    intent,
    found.filter(record => !ids.includes(idOf(intent.resource, record))),
  )
}

/** Searches for records that the intent may have created, until one is found or `patience` milliseconds have passed. */
async function searchFor(
  context: Calls,
  intent: Intent,
  { patience, known = [] }: { patience: number; known?: CreatedRecord[] },
): Promise<CreatedRecord[]> {
  const found = await waitFor(context, {
    what: `for ${describePlan(intent)} to appear in the list`,
    why: 'the API may process a request late, and list its record late',
    pending: `${describePlan(intent)} has not appeared yet`,
    interval: pause,
    until: context.seam.now() + patience,
    check: async () => {
      const records = await findUnknown(context, intent, known)
      return records.length > 0 ? records : undefined
    },
  })
  return found ?? []
}

/** Searches once for the record of a refused request. If listing is refused too, the refusal counts as final. */
async function searchAfterRefusal(context: Calls, intent: Intent): Promise<CreatedRecord[]> {
  const { client, log, signal } = context
  log.info(`cleanup: searching once for ${describePlan(intent)}, whose request was refused`)
  try {
    return foundRecords(intent, await keepTrying(context, () => findCandidates(client, intent), pause))
  } catch (failure) {
    signal.throwIfAborted()
    const isRefused = isKeyRefusal(failure) || (failure instanceof ApiError && !isPassing(failure))
    if (!isRefused) throw failure
    log.info(`cleanup: ${failure.message}`)
    return []
  }
}

/**
 * Finds the records of an unanswered intent. Its request may be processed late, and its record listed late. Only after
 * both delays does an empty list prove that no record exists.
 */
export async function findUnanswered(context: Calls, intent: Intent): Promise<CreatedRecord[]> {
  if (intent.refused) return await searchAfterRefusal(context, intent)
  context.log.info(
    `cleanup: searching for ${describePlan(intent)}, because the answer to its request was lost`,
  )
  // The step itself may have searched long enough already.
  return await searchFor(context, intent, { patience: intent.searched ? latestListing : latestAppearance })
}

/** Other records with the same name: each of two requests may have created one. */
export async function findOthers(
  context: Calls,
  intent: Intent,
  known: CreatedRecord,
): Promise<CreatedRecord[]> {
  if (intent.posts <= 1) return []
  // Both times are by the server's clock, which was known when the second request was sent.
  const left = intent.lastSent + latestAppearance - context.client.date()
  const patience = Math.min(latestAppearance, Math.max(0, left))
  return await searchFor(context, intent, { patience, known: [known] })
}

/** Waits until lists contain every record of the request. */
export async function restUntilListed(context: Calls, intent: Intent): Promise<void> {
  const { client, settings } = context
  const left = intent.lastSent + settings.listLag - client.date()
  await rest(context, Math.min(settings.listLag, left), {
    what: `for a second ${describePlan(intent)}`,
    why: 'a proxy may have repeated the request, and the API may list its record late',
  })
}
