/** Waits until a record reaches the goal of a call. */
import type { Evaluation, Goal } from '#api/goal'
import { type AnyRecord, describeRecord, resources } from '#api/resource'
import { isEnding } from '#api/service-states'
import { renderDuration } from '#base/duration'
import { UnreadableAnswerError } from '#base/errors'
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
import { type WaitLog, waitFor } from './wait-log.ts'

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

/** The state that the wait is for, in one word. */
function describeAwaitedState({ goal, isNew, isKnownToExist }: Wait): string {
  if (goal.until === 'gone') return 'deleted'
  if (goal.serves) return 'ready'
  return isNew || isKnownToExist ? 'created' : 'changed'
}

function adviseAtDeadline({ goal, isNew, fate = 'it was not deleted, and still costs money' }: Wait): string {
  if (goal.until === 'gone') return adviceIfNotGone(goal.record)
  const consequence = isNew ? `; ${fate}` : ''
  return goal.adviceAtDeadline ?? `check its status and log, or raise wait_timeout${consequence}`
}

/** Waits for the goal of a call. @throws WaitError if the goal is unreachable or the deadline has passed */
export async function waitUntilSettled<Settled extends AnyRecord | undefined>(
  context: Calls,
  wait: Wait<Settled>,
): Promise<Settled> {
  const { client, seam, settings, deadline } = context
  const { goal, ids, parameters = {}, isNew = false, isKnownToExist, startsWithCheck }: Wait = wait
  const label = describeRecord(goal.record, ids)
  const awaited = `${label} to ${goal.awaited(parameters)}`
  const history: StatusChange[] = []
  const warned = new Set<string>()
  const start = seam.now()
  const elapsed = () => seam.now() - start
  let latest: AnyRecord | undefined
  let firstSeenAt = isKnownToExist ? 0 : undefined
  let isMissing = false
  /** The last failure of the whole wait, for the error. */
  let latestFailure: unknown
  /** The Retry-After of the last check, in milliseconds. */
  let retryAfter = 0
  let refusals = 0

  function waitError(message: string, next: string, cause?: unknown): WaitError {
    const statuses = history.map(({ status, at }) => `${status} at ${renderDuration(at)}`).join(', ')
    const seen = statuses ? `seen: ${statuses}` : 'no status seen'
    const last = latestFailure instanceof Error ? `; last error: ${latestFailure.message}` : ''
    const isGone = isMissing || isEnding(history.at(-1) ?? {})
    const observed = { resource: goal.record, ids, latest, history, isGone, cause }
    return new WaitError(`${message} (${seen}${last})`, next, observed)
  }

  function logStatus(status: string, log: WaitLog): void {
    if (history.at(-1)?.status !== status) {
      history.push({ status, at: elapsed() })
      log.report(`${label} ${describeStatus(status)}`)
    }
    const unknown = describeUnknownStatus(goal.record, status)
    if (unknown === undefined || warned.has(status)) return
    warned.add(status)
    context.log.warning(`${label} ${unknown}; still waiting`, 'unknown status')
  }

  const isListed = async () => !(await isUnlisted(client, goal.record, ids, { attempts: 1 }))

  /**
   * Whether a record that was not found may still exist. Until a read finds a new record, it may appear; then replicas
   * with a longer lag may miss it, for up to three times `list_lag`, as lags are not documented.
   */
  async function mayReappear(): Promise<boolean> {
    if (!isNew || elapsed() >= longestReadLag) return false
    if (firstSeenAt === undefined || elapsed() - firstSeenAt < 3 * settings.listLag) return true
    return await isListed()
  }

  async function read(log: WaitLog): Promise<Evaluation | 'gone'> {
    const record = await readShown(client, goal.record, ids, { attempts: 1 })
    refusals = 0
    if (record !== undefined) {
      logStatus(statusOf(record), log)
      latest = record
      firstSeenAt ??= elapsed()
      if (goal.until === 'gone') return isDeleted(record) ? 'gone' : 'pending'
      return goal.evaluate(record, parameters)
    }
    // Reads that lag behind its creation do not find a new record either.
    if (goal.until === 'gone')
      return (isNew && elapsed() < settings.listLag) || (await isListed()) ? 'pending' : 'gone'
    if (await mayReappear()) return 'pending'
    isMissing = true
    return { failed: 'it no longer exists, so it was deleted meanwhile' }
  }

  function handleFailure(failure: unknown): void {
    latestFailure = failure
    retryAfter = retryAfterOf(failure, seam.date()) ?? 0
    // A single refusal may be temporary; two in a row are final.
    if (isKeyRefusal(failure)) {
      refusals += 1
      if (refusals < 2) return
      const next = 'check that the key is still valid and allowed to read the project'
      throw waitError(`waiting for ${awaited} was refused twice`, next, failure)
    }
    if (!mayPass(failure)) throw failure
    context.log.debug(`checking ${label}: ${messageOf(failure)}`)
  }

  async function check(log: WaitLog): Promise<'settled' | 'gone' | undefined> {
    retryAfter = 0
    let evaluation: Evaluation | 'gone' = 'pending'
    try {
      evaluation = await read(log)
    } catch (failure) {
      context.signal.throwIfAborted()
      handleFailure(failure)
    }
    if (typeof evaluation === 'object')
      throw waitError(`waiting for ${awaited} failed: ${evaluation.failed}`, adviceAfterFailure[goal.record])
    if (evaluation === 'gone') log.report(`${label} is deleted`)
    return evaluation === 'pending' ? undefined : evaluation
  }

  const evaluation = await waitFor(context, {
    what: `for ${label} to be ${describeAwaitedState(wait)}`,
    watched: { id: ids[resources[goal.record].id] ?? '', history },
    interval: () => {
      const isQueued = history.at(-1)?.status === 'QUEUED'
      return Math.max(untilNextCheck({ elapsed: elapsed(), isQueued, isNew }, seam.random()), retryAfter)
    },
    until: deadline,
    startsLater: !startsWithCheck,
    check,
  })
  if (evaluation === undefined) {
    const message = `waited ${renderDuration(elapsed())} without success for ${awaited}`
    throw waitError(message, adviseAtDeadline(wait), latestFailure)
  }
  return (evaluation === 'gone' ? undefined : latest) as Settled
}
