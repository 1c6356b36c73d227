/** Waits until a record reaches the goal of a call. */
import type { Goal, Verdict } from '#api/goal'
import { type AnyRecord, describeRecord, resources } from '#api/resource'
import { isEnding } from '#api/service-states'
import { renderDuration } from '#base/duration'
import { UnreadableAnswerError } from '#base/errors'
import { poll } from '#base/poll'
import { messageOf } from '#base/unknown-values'
import { isKeyRefusal, isTemporary, retryAfterOf } from '#client/retry'
import type { Calls } from '../base/context.ts'
import type { Ids, StatusChange } from '../base/outcome.ts'
import {
  describeStatus,
  describeUnknownStatus,
  isDeleted,
  isUnlisted,
  readShown,
  statusOf,
} from '../base/read-record.ts'
import { untilNextCheck } from './next-check.ts'
import { adviceAfterFailure, adviceIfNotGone, WaitError } from './wait-error.ts'
import { type WaitLog, withWaitLog } from './wait-log.ts'

export interface Wait<Settled extends AnyRecord | undefined = AnyRecord | undefined> {
  goal: Goal<object, Settled>
  ids: Ids
  /** The parameters of the call that started the work, if the goal depends on them. */
  parameters?: object
  /** The record is new: reads may not find it for a while. */
  isNew?: boolean
  /** The fate of a new record that is not ready in time, for the error. Default: it stays and costs money. */
  fate?: string | undefined
  /** A read before the wait has found the record. */
  isKnownToExist?: boolean
  /** Starts with a check, since the work may be done already. */
  startsWithCheck?: boolean
}

/** Milliseconds after the creation of a record for which reads may not find it. */
export const longestReadLag = 60_000

/** An unreadable answer, like a proxy's page, may be temporary: the call that started the work did reach the API. */
const mayPass = (failure: unknown) => isTemporary(failure) || failure instanceof UnreadableAnswerError

class Waiter {
  readonly #history: StatusChange[]
  readonly #warned = new Set<string>()
  /** The last failure of the whole wait, for the error. */
  #latestFailure: unknown
  /** The Retry-After of the last check, in milliseconds. */
  #retryAfter = 0
  #refusals = 0
  #latest: AnyRecord | undefined
  #firstSeenAt: number | undefined
  #isMissing = false
  readonly #context: Calls
  readonly #wait: Wait
  readonly #log: WaitLog

  constructor(context: Calls, wait: Wait, { log, history }: { log: WaitLog; history: StatusChange[] }) {
    this.#context = context
    this.#wait = wait
    this.#firstSeenAt = wait.isKnownToExist ? 0 : undefined
    this.#log = log
    this.#history = history
  }

  get #label(): string {
    return describeRecord(this.#wait.goal.record, this.#wait.ids)
  }

  get #awaited(): string {
    const { goal, parameters = {} } = this.#wait
    return `${this.#label} to ${goal.awaited(parameters)}`
  }

  #logStatus(status: string): void {
    if (this.#history.at(-1)?.status !== status) {
      this.#history.push({ status, at: this.#log.elapsed })
      this.#log.report(`${this.#label} ${describeStatus(status)}`)
    }
    const unknown = describeUnknownStatus(this.#wait.goal.record, status)
    if (unknown === undefined || this.#warned.has(status)) return
    this.#warned.add(status)
    this.#context.log.warning(`${this.#label} ${unknown}; still waiting`, 'unknown status')
  }

  async #read(): Promise<Verdict | 'gone'> {
    const { client } = this.#context
    const { goal, ids, parameters = {} } = this.#wait
    const record = await readShown(client, goal.record, ids, { attempts: 1 })
    this.#refusals = 0
    if (record !== undefined) {
      this.#logStatus(statusOf(record))
      this.#latest = record
      this.#firstSeenAt ??= this.#log.elapsed
      if (goal.until === 'gone') return isDeleted(record) ? 'gone' : 'pending'
      return goal.evaluate(record, parameters)
    }
    if (goal.until === 'gone') {
      // Reads that lag behind its creation do not find a new record either.
      if (this.#wait.isNew && this.#log.elapsed < this.#context.settings.listLag) return 'pending'
      return (await isUnlisted(client, goal.record, ids, { attempts: 1 })) ? 'gone' : 'pending'
    }
    if (await this.#mayReappear()) return 'pending'
    this.#isMissing = true
    return { failed: 'it no longer exists, so it was deleted meanwhile' }
  }

  /**
   * Whether a record that was not found may still exist. Until a read finds a new record, it may appear; then replicas
   * with a longer lag may miss it, for up to three times `list_lag`, as lags are not documented.
   */
  async #mayReappear(): Promise<boolean> {
    const { client, settings } = this.#context
    const { goal, ids, isNew } = this.#wait
    if (!isNew || this.#log.elapsed >= longestReadLag) return false
    if (this.#firstSeenAt === undefined || this.#log.elapsed - this.#firstSeenAt < 3 * settings.listLag)
      return true
    return !(await isUnlisted(client, goal.record, ids, { attempts: 1 }))
  }

  #waitError(message: string, next: string, cause?: unknown): WaitError {
    const statuses = this.#history.map(({ status, at }) => `${status} at ${renderDuration(at)}`).join(', ')
    const last = this.#latestFailure instanceof Error ? `; last error: ${this.#latestFailure.message}` : ''
    const { goal, ids } = this.#wait
    return new WaitError(`${message} (${statuses ? `seen: ${statuses}` : 'no status seen'}${last})`, next, {
      resource: goal.record,
      ids,
      latest: this.#latest,
      history: this.#history,
      isGone: this.#isMissing || isEnding(this.#history.at(-1) ?? {}),
      cause,
    })
  }

  #handleFailure(failure: unknown): void {
    this.#latestFailure = failure
    this.#retryAfter = retryAfterOf(failure, this.#context.seam.date()) ?? 0
    // A single refusal may be temporary; two in a row are final.
    if (isKeyRefusal(failure)) {
      this.#refusals += 1
      if (this.#refusals < 2) return
      throw this.#waitError(
        `waiting for ${this.#awaited} was refused twice`,
        'check that the key is still valid and allowed to read the project',
        failure,
      )
    }
    if (!mayPass(failure)) throw failure
    this.#context.log.debug(`checking ${this.#label}: ${messageOf(failure)}`)
  }

  #timeoutError(): WaitError {
    const { goal, isNew, fate = 'it was not deleted, and still costs money' } = this.#wait
    const consequence = isNew ? `; ${fate}` : ''
    const usualAdvice = `check its status and log, or raise wait_timeout${consequence}`
    const next = goal.until === 'gone' ? adviceIfNotGone(goal.record) : (goal.adviceAtDeadline ?? usualAdvice)
    const after = renderDuration(this.#log.elapsed)
    return this.#waitError(`waited ${after} without success for ${this.#awaited}`, next, this.#latestFailure)
  }

  async #check(): Promise<'settled' | 'gone' | undefined> {
    this.#retryAfter = 0
    let verdict: Verdict | 'gone' = 'pending'
    try {
      verdict = await this.#read()
    } catch (failure) {
      this.#context.signal.throwIfAborted()
      this.#handleFailure(failure)
    }
    if (typeof verdict === 'object')
      throw this.#waitError(
        `waiting for ${this.#awaited} failed: ${verdict.failed}`,
        adviceAfterFailure[this.#wait.goal.record],
      )
    return verdict === 'pending' ? undefined : verdict
  }

  /** Returns the record at its goal; undefined if the goal is its deletion. */
  async run(): Promise<AnyRecord | undefined> {
    const { seam, deadline } = this.#context
    const isNew = this.#wait.isNew === true
    const verdict = await poll(this.#context, {
      interval: () => {
        const isQueued = this.#history.at(-1)?.status === 'QUEUED'
        const progress = { elapsed: this.#log.elapsed, isQueued, isNew }
        return Math.max(untilNextCheck(progress, seam.random()), this.#retryAfter)
      },
      until: deadline,
      startsLater: !this.#wait.startsWithCheck,
      check: () => this.#check(),
      onPause: left => this.#log.announce(left),
    })
    if (verdict === undefined) throw this.#timeoutError()
    if (verdict === 'settled') return this.#latest
    this.#log.report(`${this.#label} is deleted`)
    return undefined
  }
}

/** The state that the wait is for, in one word. */
function describeAwaitedState({ goal, isNew, isKnownToExist }: Wait): string {
  if (goal.until === 'gone') return 'deleted'
  if (goal.serves) return 'ready'
  return isNew || isKnownToExist ? 'created' : 'changed'
}

/** Waits for the goal of a call. @throws WaitError if the goal is unreachable or the deadline has passed */
export async function waitUntilSettled<Settled extends AnyRecord | undefined>(
  context: Calls,
  wait: Wait<Settled>,
): Promise<Settled> {
  const { record } = wait.goal
  const watched = { id: wait.ids[resources[record].id] ?? '', history: [] }
  const what = `for ${describeRecord(record, wait.ids)} to be ${describeAwaitedState(wait)}`
  const settled = await withWaitLog(context, { what, watched }, log =>
    new Waiter(context, wait, { log, history: watched.history }).run(),
  )
  return settled as Settled
}
