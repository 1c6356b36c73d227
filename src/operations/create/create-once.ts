/** Creates exactly one record, even if the answer to a creating request is lost. */
import type { AnyRecord } from '#api/resource'
import { renderDuration } from '#base/duration'
import { ActionError } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import type { CallOptions } from '#client/client'
import { isDoubtful, isRateLimited, isRefused, mayHaveActed, retryAfterOf } from '#client/retry'
import type { Creating } from '../base/context.ts'
import type { Intent, Plan } from '../base/journaled.ts'
import { idOf } from '../base/read-record.ts'
import { pauseAfterLine, type WaitLog, withWaitLog } from '../wait/wait-log.ts'
import { describePlan, findCandidates } from './intent.ts'

export interface Creation<Kind extends AnyRecord = AnyRecord> {
  record: Kind
  /** The record was found in the list after a lost answer, so its password is unknown. */
  adopted: boolean
  intent: Intent
  /** Until this time, on the clock of the seam's `now`, an earlier request may still create a second record. */
  duplicateUntil: number | undefined
}

/** Whether the record is certainly this step's. After a lost answer, another job may have created one with the same exact name. */
export const isCertain = ({ adopted, intent }: Creation) => !adopted || intent.isUniqueName

/** Sends one creating request; it must pass the options to the client's call. */
export type Post<Kind extends AnyRecord> = (options: CallOptions) => Promise<Kind>

/** Times of the searches for a record after a lost answer, in milliseconds. */
const searchTimes = [2_000, 5_000, 10_000, 20_000, 40_000, 65_000]

/** Milliseconds after which the server no longer processes a request. */
const latestProcessing = 65_000

/** Milliseconds after the creation of a record when every list contains it. Lists may lag. */
export const latestListing = 35_000

/** Milliseconds after a request when an empty list proves that the request created nothing. */
export const latestAppearance = latestProcessing + latestListing

/** Each request can create a database that costs money, so a run sends no third. */
export const mostRequests = 2

/** Milliseconds before a retry, after a 429 without a Retry-After. */
const rateLimitPause = 2_000

/** Records that the requests may have created, oldest first; undefined if the list is unreadable. */
async function tryToFind<Kind extends AnyRecord>(context: Creating, intent: Intent, options: CallOptions) {
  try {
    // The list has records of the kind that the plan creates.
    return (await findCandidates(context.client, intent, options)) as Kind[]
  } catch (failure) {
    context.signal.throwIfAborted()
    context.log.debug(`searching for ${describePlan(intent)}: ${messageOf(failure)}`)
    return undefined
  }
}

/**
 * Searches at the given times after now, in milliseconds, until a record appears. An empty list proves that nothing was
 * created; undefined means that this is uncertain. Not a poll: the last search must not start before its time.
 */
async function searchRepeatedly<Kind extends AnyRecord>(
  context: Creating,
  intent: Intent,
  times: number[],
  progress: WaitLog,
): Promise<Kind[] | undefined> {
  const { seam, signal, deadline } = context
  const start = seam.now()
  const longest = Math.min(times.at(-1) ?? 0, deadline - start)
  if (longest > 0) progress.announce(longest)
  let found: Kind[] | undefined
  for (const time of times) {
    const at = Math.min(start + time, deadline)
    await seam.sleep(Math.max(0, at - seam.now()), signal)
    const isLast = time === times.at(-1)
    found = await tryToFind(context, intent, isLast ? {} : { attempts: 1 })
    if (found !== undefined && found.length > 0) return found
    const isDeadlineFirst = at < start + time
    if (isDeadlineFirst) return undefined
    if (time > 0) progress.report(`${describePlan(intent)} is not in the list yet`)
  }
  return found
}

/**
 * Whether records of an exact name are too uncertain to use:
 * - several records, because the run cannot identify its own one;
 * - a service, because the run would have to set its password while another job may be using it.
 */
const isUnusable = ({ isUniqueName, resource }: Intent, found: AnyRecord[]) =>
  !isUniqueName && (found.length > 1 || resource === 'service')

function unusableError(intent: Intent, failure: unknown, found: AnyRecord[]): ActionError {
  const ids = found.map(record => idOf(intent.resource, record)).join(', ')
  const name = `the name of ${describePlan(intent)}`
  const several = `${ids} have ${name}, and were created at the same time, so this step cannot identify its own`
  const single = `${ids} has ${name}, but another job may have created it, so its password stays unchanged`
  const deletion =
    found.length > 1
      ? 'delete those that are not in use'
      : 'if it is not in use, delete it and run the step again'
  return new ActionError(
    `${messageOf(failure)}; ${found.length > 1 ? several : single}`,
    `${deletion}; put a * in the name, so that no other job can use the same one`,
    { cause: failure },
  )
}

function lostRecordError(intent: Intent, failure: unknown, found: AnyRecord[] | undefined): ActionError {
  const count = intent.posts === 1 ? 'once' : `${intent.posts} times`
  const result = found
    ? 'did not appear in the list'
    : 'may or may not exist: the search for it could not be completed'
  return new ActionError(
    `${messageOf(failure)}; sent ${count}, ${describePlan(intent)} ${result}`,
    'search for it with the list operation, and delete it if it exists and is not in use; then run the step again',
    { cause: failure },
  )
}

/**
 * Creates one record, even if answers are lost: searches the list first, and repeats the request once if the record
 * does not appear. Neither a poll nor a retry: a second request may create a second record, so a search precedes it.
 * @param maxRequests the upper limit for requests, lower if the run has sent some before
 * @throws ActionError if it remains unknown which record was created; the failure itself if none was
 */
export async function createOnce<Kind extends AnyRecord>(
  context: Creating,
  plan: Plan,
  post: Post<Kind>,
  maxRequests = mostRequests,
): Promise<Creation<Kind>> {
  const { seam, client, log, journal, signal, deadline } = context
  let intent: Intent = { ...plan, posts: 0, firstSent: 0, lastSent: 0 }
  /** Defined once a request may have created a record although it failed. */
  let duplicateUntil: number | undefined

  /** Saved before each request, so that a step killed right after it leaves a trace. */
  function saveIntent(): void {
    const lastSent = client.date()
    intent = { ...intent, lastSent, firstSent: intent.firstSent || lastSent }
    journal.intend(intent)
  }

  function adopt(record: Kind): Creation<Kind> {
    const creation = { record, adopted: true, intent, duplicateUntil }
    const doubt = isCertain(creation)
      ? ''
      : '; it matches, but another job may have created it under the same name: put a * in the name to be certain'
    log.warning(
      `the answer of ${plan.operation} was lost; ${describePlan(plan)} was found in the list: ${idOf(plan.resource, record)}${doubt}`,
      'an answer was lost',
    )
    return creation
  }

  /** @throws the failure itself if no time or attempt is left */
  async function waitForRateLimit(failure: unknown): Promise<void> {
    const delay = retryAfterOf(failure, seam.date()) ?? rateLimitPause
    if (intent.posts >= maxRequests || seam.now() + delay > deadline) {
      journal.withdraw()
      throw failure
    }
    const line = `${messageOf(failure)}; retrying in ${renderDuration(delay)}`
    await pauseAfterLine(context, { line, name: 'waiting to retry', milliseconds: delay })
  }

  /** Returns the record that a failed request created nevertheless; undefined if the request should be repeated. */
  async function recover(failure: unknown): Promise<Creation<Kind> | undefined> {
    signal.throwIfAborted()
    if (isDoubtful(failure)) duplicateUntil = seam.now() + latestAppearance
    if (duplicateUntil === undefined) {
      if (isRateLimited(failure)) {
        await waitForRateLimit(failure)
        return undefined
      }
      const mayExist = intent.isUniqueName && mayHaveActed(failure)
      // The API reports that nothing was created. With a unique name, the post step verifies that.
      if (isRefused(failure) && mayExist) journal.intend({ ...intent, refused: true })
      else if (isRefused(failure)) journal.withdraw()
      throw failure
    }
    log.info(`${messageOf(failure)}; it may have been processed: searching for ${describePlan(plan)}`)
    const found = await withWaitLog(
      context,
      { what: `for ${describePlan(plan)} to appear in the list` },
      progress => searchRepeatedly<Kind>(context, intent, isDoubtful(failure) ? searchTimes : [0], progress),
    )
    const [first] = found ?? []
    if (found !== undefined && first !== undefined) {
      if (isUnusable(intent, found)) throw unusableError(intent, failure, found)
      // A single request creates a single record: there is no duplicate to wait for.
      if (intent.posts === 1) duplicateUntil = undefined
      return adopt(first)
    }
    if (found && intent.posts < maxRequests) {
      log.info(`${describePlan(plan)} did not appear; repeating the request`)
      return undefined
    }
    if (found) journal.intend({ ...intent, searched: true })
    throw lostRecordError(intent, failure, found)
  }

  for (;;) {
    try {
      intent = { ...intent, posts: intent.posts + 1 }
      const record = await post({ beforeSend: saveIntent })
      return { record, adopted: false, intent, duplicateUntil }
    } catch (failure) {
      const creation = await recover(failure)
      if (creation) return creation
    }
  }
}
