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

/** Records found by their name. They are certainly this step's only when nobody else can have used that name. */
function foundRecords({ resource, ids, isOwnName }: Intent, records: AnyRecord[]): CreatedRecord[] {
  return records.map(record => ({
    resource,
    ids: { ...ids, [resources[resource].id]: idOf(resource, record) },
    certain: isOwnName,
  }))
}

/** Lists once what the intent may have made beside the records that are known already. */
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

/** Looks for records that the intent may have made, until one is found or `patience` milliseconds are over. */
async function lookFor(
  context: Calls,
  intent: Intent,
  { patience, known = [] }: { patience: number; known?: CreatedRecord[] },
): Promise<CreatedRecord[]> {
  const found = await waitFor(context, {
    what: `for ${describePlan(intent)} to appear in the list`,
    why: 'a request may be processed late, and its record listed late too',
    pending: `${describePlan(intent)} did not appear yet`,
    interval: pause,
    until: context.seam.now() + patience,
    check: async () => {
      const records = await findUnknown(context, intent, known)
      return records.length > 0 ? records : undefined
    },
  })
  return found ?? []
}

/**
 * Looks once for what a refused request made all the same. Where the list is refused as well, as by a key that may do
 * nothing here, the refusal is believed.
 */
async function lookAfterRefusal(context: Calls, intent: Intent): Promise<CreatedRecord[]> {
  const { client, log, signal } = context
  log.info(`cleanup: looking once for ${describePlan(intent)}, the request for it was refused`)
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
 * Finds what an intent without an answer may have made. Its request may be processed late, and its record listed late
 * too; only after that time does an empty list mean that nothing was made.
 */
export async function findUnanswered(context: Calls, intent: Intent): Promise<CreatedRecord[]> {
  if (intent.refused) return await lookAfterRefusal(context, intent)
  context.log.info(`cleanup: looking for ${describePlan(intent)}, the answer to its request was lost`)
  // The step itself may have looked for long enough already.
  return await lookFor(context, intent, { patience: intent.searched ? latestListing : latestAppearance })
}

/** Other records of the same name: when a request was sent twice, each may have made one. */
export async function findOthers(
  context: Calls,
  intent: Intent,
  known: CreatedRecord,
): Promise<CreatedRecord[]> {
  if (intent.posts <= 1) return []
  // Both moments are by the server's clock, which was known when the second request was sent.
  const left = intent.lastSent + latestAppearance - context.client.date()
  const patience = Math.min(latestAppearance, Math.max(0, left))
  return await lookFor(context, intent, { patience, known: [known] })
}

/** Waits until lists show whatever the request has made. */
export async function restUntilListed(context: Calls, intent: Intent): Promise<void> {
  const { client, settings } = context
  const left = intent.lastSent + settings.listLag - client.date()
  await rest(context, Math.min(settings.listLag, left), {
    what: `for a second ${describePlan(intent)}`,
    why: 'its request may have been repeated on the way, and its record listed late',
  })
}
