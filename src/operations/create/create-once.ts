/** Creates one record, even if answers are lost. */
import type { AnyRecord } from '#api/resource'
import { renderDuration } from '#base/duration'
import { ActionError, messageOf } from '#base/errors'
import type { CallOptions } from '#client/client'
import { retryAfterOf } from '#client/retry'
import type { Creating } from '../base/context.ts'
import type { Intent, Plan } from '../base/journaled.ts'
import { idOf } from '../base/read-record.ts'
import { restAfter, type WaitLog, waitUpTo } from '../wait/wait-log.ts'
import { isDoubtful, isRefused, isTooSoon, mayHaveActed } from './creation-failure.ts'
import { describePlan, findCandidates } from './intent.ts'

export interface Creation<Created extends AnyRecord = AnyRecord> {
  record: Created
  /** The record was found in the list after a lost answer, so its password is unknown. */
  adopted: boolean
  intent: Intent
  /** Until this time, on the clock of the seam's `now`, an earlier request may still create a second record. */
  duplicateUntil: number | undefined
}

/** False if the record was found by an exact name, which another job may have used as well. */
export const isCertain = ({ adopted, intent }: Creation) => !adopted || intent.isUniqueName

/** Sends one creating request; it must pass the options to the client's call. */
export type Post<Created extends AnyRecord> = (options: CallOptions) => Promise<Created>

/** Times of the searches for a record after a lost answer, in milliseconds. */
const searchTimes = [2_000, 5_000, 10_000, 20_000, 40_000, 65_000]

/** Milliseconds after which the server no longer processes a request. */
const latestProcessing = 65_000

/** Milliseconds after its creation when every list contains a record: lists may lag. */
export const latestListing = 35_000

/** Milliseconds after a request when an empty list proves that the request created nothing. */
export const latestAppearance = latestProcessing + latestListing

/** Each request can create a database that costs money, so there is no third. */
const mostPosts = 2

const tooSoonPause = 2_000

class CreateOnce<Created extends AnyRecord> {
  #intent: Intent
  /** Defined if an earlier request may have created a record. */
  #duplicateUntil: number | undefined
  readonly #context: Creating
  readonly #post: Post<Created>

  constructor(context: Creating, plan: Plan, post: Post<Created>) {
    this.#context = context
    this.#post = post
    this.#intent = { ...plan, posts: 0, firstSent: 0, lastSent: 0 }
  }

  /** Saved before each request, so that a step killed right after it leaves a trace. */
  readonly #writeAhead = (): void => {
    const lastSent = this.#context.client.date()
    this.#intent = { ...this.#intent, lastSent, firstSent: this.#intent.firstSent || lastSent }
    this.#context.journal.intend(this.#intent)
  }

  async #send(): Promise<Creation<Created>> {
    this.#intent = { ...this.#intent, posts: this.#intent.posts + 1 }
    const record = await this.#post({ beforeSend: this.#writeAhead })
    return { record, adopted: false, intent: this.#intent, duplicateUntil: this.#duplicateUntil }
  }

  /** Records that the requests may have created, oldest first; undefined if the list is unreadable. */
  async #find(options: CallOptions): Promise<Created[] | undefined> {
    try {
      // The list has records of the kind that the plan creates.
      return (await findCandidates(this.#context.client, this.#intent, options)) as Created[]
    } catch (failure) {
      this.#context.signal.throwIfAborted()
      this.#context.log.debug(`searching for ${describePlan(this.#intent)}: ${messageOf(failure)}`)
      return undefined
    }
  }

  /**
   * Searches repeatedly. An empty list proves that nothing was created; undefined: that is uncertain. This is not a
   * poll: the last search must start at its time or later, however long the search before it took.
   */
  async #search(moments: number[], progress: WaitLog): Promise<Created[] | undefined> {
    const { seam, signal, deadline } = this.#context
    const start = seam.now()
    const most = Math.min(moments.at(-1) ?? 0, deadline - start)
    if (most > 0) progress.name(most)
    let found: Created[] | undefined
    for (const moment of moments) {
      const at = Math.min(start + moment, deadline)
      await seam.sleep(Math.max(0, at - seam.now()), signal)
      found = await this.#find(moment === moments.at(-1) ? {} : { attempts: 1 })
      if (found?.length) return found
      if (at < start + moment) return undefined
      if (moment > 0) progress.report(`${describePlan(this.#intent)} is not in the list yet`)
    }
    return found
  }

  #adopt(record: Created): Creation<Created> {
    const creation = { record, adopted: true, intent: this.#intent, duplicateUntil: this.#duplicateUntil }
    const { operation, resource } = this.#intent
    const doubt = isCertain(creation)
      ? ''
      : '; it matches, but another job may have created it under the same name: put a * in the name to be certain'
    this.#context.log.warning(
      `the answer of ${operation} was lost; ${describePlan(this.#intent)} was found in the list: ${idOf(resource, record)}${doubt}`,
      'an answer was lost',
    )
    return creation
  }

  /**
   * Whether records of an exact name are too uncertain to use:
   * - several records, because the run cannot identify its own one;
   * - a service, because the run would have to set its password while another job may be using it.
   */
  #isUnusable(found: Created[]): boolean {
    const { isUniqueName, resource } = this.#intent
    return !isUniqueName && (found.length > 1 || resource === 'service')
  }

  #unusable(failure: unknown, found: Created[]): ActionError {
    const { resource } = this.#intent
    const ids = found.map(record => idOf(resource, record)).join(', ')
    const [bears, which] =
      found.length > 1
        ? ['have', 'and were created at the same time, so this step cannot identify its own']
        : ['has', 'but another job may have created it, so its password stays unchanged']
    return new ActionError(
      `${messageOf(failure)}; ${ids} ${bears} the name of ${describePlan(this.#intent)}, ${which}`,
      found.length > 1
        ? 'delete those that are not in use; put a * in the name, so that no other job can use the same one'
        : 'if it is not in use, delete it and run the step again; put a * in the name, so that no other job can use the same one',
      { cause: failure },
    )
  }

  #lost(failure: unknown, found: Created[] | undefined): ActionError {
    const { posts } = this.#intent
    const count = posts === 1 ? 'once' : `${posts} times`
    const seen = found
      ? 'did not appear in the list'
      : 'may or may not exist: the search for it could not be completed'
    return new ActionError(
      `${messageOf(failure)}; sent ${count}, ${describePlan(this.#intent)} ${seen}`,
      'search for it with the list operation, and delete it if it exists and is not in use; then run the step again',
      { cause: failure },
    )
  }

  async #waitOut(failure: unknown): Promise<void> {
    const { seam, deadline, journal } = this.#context
    const delay = retryAfterOf(failure, seam.date()) ?? tooSoonPause
    if (this.#intent.posts >= mostPosts || seam.now() + delay > deadline) {
      journal.withdraw()
      throw failure
    }
    const line = `${messageOf(failure)}; retrying in ${renderDuration(delay)}`
    await restAfter(this.#context, { line, name: 'waiting to retry', milliseconds: delay })
  }

  /** Returns the record that a failed request created nevertheless; undefined if the request should be repeated. */
  async #reconcile(failure: unknown): Promise<Creation<Created> | undefined> {
    const { signal, log, journal, seam } = this.#context
    signal.throwIfAborted()
    if (isDoubtful(failure)) this.#duplicateUntil = seam.now() + latestAppearance
    if (this.#duplicateUntil === undefined) {
      if (isTooSoon(failure)) return void (await this.#waitOut(failure))
      const mayExist = this.#intent.isUniqueName && mayHaveActed(failure)
      // The API reports that nothing was created. With a unique name, the post step verifies that.
      if (isRefused(failure) && mayExist) journal.intend({ ...this.#intent, refused: true })
      else if (isRefused(failure)) journal.withdraw()
      throw failure
    }
    log.info(`${messageOf(failure)}; it may have been processed: searching for ${describePlan(this.#intent)}`)
    const what = `for ${describePlan(this.#intent)} to appear in the list`
    const found = await waitUpTo(this.#context, { what }, progress =>
      this.#search(isDoubtful(failure) ? searchTimes : [0], progress),
    )
    const [first] = found ?? []
    if (found !== undefined && first !== undefined) {
      if (this.#isUnusable(found)) throw this.#unusable(failure, found)
      // A single request creates a single record: there is no duplicate to wait for.
      if (this.#intent.posts === 1) this.#duplicateUntil = undefined
      return this.#adopt(first)
    }
    if (found && this.#intent.posts < mostPosts) {
      log.info(`${describePlan(this.#intent)} did not appear; repeating the request`)
      return undefined
    }
    if (found) journal.intend({ ...this.#intent, searched: true })
    throw this.#lost(failure, found)
  }

  /** This is neither a poll nor a retry: the second request may create a second record, so a search precedes it. */
  async run(): Promise<Creation<Created>> {
    for (;;) {
      try {
        return await this.#send()
      } catch (failure) {
        const creation = await this.#reconcile(failure)
        if (creation) return creation
      }
    }
  }
}

/**
 * Creates one record, even if answers are lost: searches the list first, and repeats the request once if the record
 * does not appear.
 * @throws ActionError if it remains unknown which record was created; the failure itself if none was
 */
export function createOnce<Created extends AnyRecord>(
  context: Creating,
  plan: Plan,
  post: Post<Created>,
): Promise<Creation<Created>> {
  return context.timeline.time(`creating ${describePlan(plan)}`, () =>
    new CreateOnce(context, plan, post).run(),
  )
}
