import type { CallOptions } from '../client/client.ts'
import { renderDuration } from '../client/duration.ts'
import { ActionError, AnswerTooLargeError, ApiError, UnreadableAnswerError } from '../client/errors.ts'
import { isNeverSent, isPassing, parseRetryAfter, retryAfterOf } from '../client/retry.ts'
import type { Context, Intent } from './context.ts'
import { describeIntent, findOurs, type Plan } from './intent.ts'
import { idOf } from './read-record.ts'

/** What a creating call came to. */
export interface Creation<Created> {
  record: Created
  /** True where the answer was lost and the record was found in the list: what only the answer says is not known. */
  adopted: boolean
  /** Others that were found beside it, younger ones. */
  twins: Created[]
  intent: Intent
}

/** The answers of a creating call were lost, and nothing of it appeared. */
export class LostAnswerError extends ActionError {}

/** Sends one creating request; it must hand the options on to the client's call. */
export type Post<Created> = (options: CallOptions) => Promise<Created>

/** Milliseconds after a lost answer when to look for what came of it (DESIGN rule 2). */
const looks = [2_000, 5_000, 10_000, 20_000, 40_000, 65_000]

/** Milliseconds after which a request that was sent has been processed, or never is. */
export const latestProcessing = 65_000

/** DESIGN rule 2. */
const mostPosts = 2

/** Before another try after a 429 that names no time; milliseconds. */
const tooSoonPause = 2_000

/** Turned away at the door, in the API's own words: nothing was created, and it may be otherwise soon. */
const isTooSoon = (failure: unknown) => failure instanceof ApiError && failure.status === 429

/** Whether nothing was created, for sure: the request never left, or the API turned it down in its own words. */
const isRefused = (failure: unknown) =>
  isNeverSent(failure) ||
  (failure instanceof ApiError && failure.status >= 400 && failure.status < 500 && failure.status !== 408)

/** What is not the API's own words says nothing of what was done: a page, half an answer, a redirect. */
const isUnreadable = (failure: unknown) =>
  failure instanceof UnreadableAnswerError || failure instanceof AnswerTooLargeError

/** Whether something may have been created although the call failed. */
const isDoubtful = (failure: unknown) => (isPassing(failure) || isUnreadable(failure)) && !isRefused(failure)

class CreateOnce<Created> {
  private intent: Intent
  /** Whether any of the requests may have created something without saying so. */
  private inDoubt = false
  private readonly context: Context
  private readonly post: Post<Created>

  constructor(context: Context, plan: Plan, post: Post<Created>) {
    this.context = context
    this.post = post
    this.intent = { ...plan, posts: 0, lastSent: 0 }
  }

  /** DESIGN rule 1: written down before a request leaves, each time. */
  private readonly writeAhead = (): void => {
    this.intent = { ...this.intent, lastSent: this.context.client.date() }
    this.context.journal.intend(this.intent)
  }

  private async send(): Promise<Creation<Created>> {
    this.intent = { ...this.intent, posts: this.intent.posts + 1 }
    const record = await this.post({ beforeSend: this.writeAhead })
    return { record, adopted: false, twins: [], intent: this.intent }
  }

  /** What may have come of the requests, the oldest first; undefined where the list cannot be read. */
  private async look(options: CallOptions): Promise<Created[] | undefined> {
    try {
      return (await findOurs(this.context.client, this.intent, options)) as Created[]
    } catch (failure) {
      this.context.signal.throwIfAborted()
      this.context.log.debug(`looking for ${describeIntent(this.intent)}: ${(failure as Error).message}`)
      return undefined
    }
  }

  /** Looks again and again. Empty only where it is certain that nothing was created; undefined where it is not. */
  private async search(moments: number[]): Promise<Created[] | undefined> {
    const { seam, signal, deadline } = this.context
    const start = seam.now()
    let found: Created[] | undefined
    for (const moment of moments) {
      const at = Math.min(start + moment, deadline)
      await seam.sleep(Math.max(0, at - seam.now()), signal)
      found = await this.look(moment === moments.at(-1) ? {} : { attempts: 1 })
      if (found?.length) return found
      if (at < start + moment) return undefined
    }
    return found
  }

  private adopt([record, ...twins]: [Created, ...Created[]]): Creation<Created> {
    const { operation, resource } = this.intent
    this.context.log.warning(
      `the answer of ${operation} was lost; ${describeIntent(this.intent)} was found in the list: ${idOf(resource, record)}`,
    )
    return { record, adopted: true, twins, intent: this.intent }
  }

  private lost(failure: unknown, found: Created[] | undefined): LostAnswerError {
    const { posts } = this.intent
    const count = posts === 1 ? 'once' : `${posts} times`
    const seen = found
      ? 'did not appear in the list'
      : 'could not be looked for long enough to know whether it was created'
    return new LostAnswerError(
      `${(failure as Error).message}; sent ${count}, ${describeIntent(this.intent)} ${seen}`,
      'look for it with the list operation and delete what is not needed, then run the step again',
      { cause: failure },
    )
  }

  private async waitOut(failure: unknown): Promise<void> {
    const { seam, signal, log, deadline, journal } = this.context
    const delay = parseRetryAfter(retryAfterOf(failure), seam.date()) ?? tooSoonPause
    if (this.intent.posts >= mostPosts || seam.now() + delay > deadline) {
      journal.withdraw()
      throw failure
    }
    log.info(`${(failure as Error).message}; trying again in ${renderDuration(delay)}`)
    await seam.sleep(delay, signal)
  }

  /** After a failure: what came of it all the same, or undefined where the request is to be sent again. */
  private async reconcile(failure: unknown): Promise<Creation<Created> | undefined> {
    const { signal, log, journal } = this.context
    signal.throwIfAborted()
    this.inDoubt ||= isDoubtful(failure)
    if (!this.inDoubt) {
      if (isTooSoon(failure)) return void (await this.waitOut(failure))
      if (isRefused(failure)) journal.withdraw()
      throw failure
    }
    log.info(
      `${(failure as Error).message}; it may have been processed: looking for ${describeIntent(this.intent)}, for a minute at most`,
    )
    const found = await this.search(isDoubtful(failure) ? looks : [0])
    if (found?.[0]) return this.adopt(found as [Created, ...Created[]])
    if (found && this.intent.posts < mostPosts) {
      log.info(`${describeIntent(this.intent)} did not appear; sending the request again`)
      return undefined
    }
    if (found) journal.intend({ ...this.intent, searched: true })
    throw this.lost(failure, found)
  }

  async run(): Promise<Creation<Created>> {
    for (;;) {
      try {
        return await this.send()
      } catch (failure) {
        const creation = await this.reconcile(failure)
        if (creation) return creation
      }
    }
  }
}

/**
 * Creates exactly one record, whatever becomes of the answers (DESIGN rules 1 and 2). A request that may have
 * been processed is never just sent again: the list tells first what came of it.
 *
 * @throws LostAnswerError where nothing appeared, or the list cannot be read; the failure itself where nothing
 * was created for sure
 */
export function createOnce<Created>(
  context: Context,
  plan: Plan,
  post: Post<Created>,
): Promise<Creation<Created>> {
  return new CreateOnce(context, plan, post).run()
}
