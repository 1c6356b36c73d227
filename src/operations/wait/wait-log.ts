/** Waits, pauses and retries that announce their length and log their progress. */
import { renderDuration } from '#base/duration'
import { type Poll, poll } from '#base/poll'
import { messageOf } from '#base/unknown-values'
import type { Waiting } from '../base/context.ts'
import type { TimeSpan } from '../base/outcome.ts'

export interface WaitDescription {
  /** Follows the word "waiting": `for service s1 to be ready`. */
  what: string
  why?: string
  /** For the summary. Its history may grow during the wait. */
  watched?: NonNullable<TimeSpan['watched']>
}

const renderReason = (why: string | undefined) => (why === undefined ? '' : `: ${why}`)

/** The log lines of one wait, and its span in the timeline. */
export class WaitLog {
  #end: (() => void) | undefined
  readonly #context: Waiting
  readonly #description: WaitDescription
  readonly #start: number

  constructor(context: Waiting, description: WaitDescription) {
    this.#context = context
    this.#description = description
    this.#start = context.seam.now()
  }

  get elapsed(): number {
    return this.#context.seam.now() - this.#start
  }

  /** Logs the purpose of the wait and its maximum length in milliseconds. Only the first call has an effect. */
  announce(most: number): void {
    if (this.#end) return
    const { what, why, watched } = this.#description
    const { log, timeline } = this.#context
    const name = `waiting ${what}`
    this.#end = timeline.wait({ name, watched }, this.#start)
    log.info(`waiting up to ${renderDuration(Math.max(0, most))} ${what}${renderReason(why)}`)
  }

  report(line: string): void {
    this.#context.log.info(`[${renderDuration(this.elapsed)}] ${line}`)
  }

  end(): void {
    this.#end?.()
  }
}

/** Runs a wait of unknown length. It is announced only when `run` calls `announce`: an immediate result needs no line. */
export async function withWaitLog<Result>(
  context: Waiting,
  description: WaitDescription,
  run: (log: WaitLog) => Promise<Result>,
): Promise<Result> {
  const log = new WaitLog(context, description)
  try {
    return await run(log)
  } finally {
    log.end()
  }
}

/** A polling wait: its description, timing and status check. */
export interface PollWait<Result> extends WaitDescription, Omit<Poll<Result>, 'check' | 'onPause'> {
  check(log: WaitLog): Promise<Result | undefined>
}

/** Polls with the log lines of a wait. Returns undefined if the deadline comes before a result. */
export async function waitFor<Result>(context: Waiting, wait: PollWait<Result>): Promise<Result | undefined> {
  return await withWaitLog(context, wait, log =>
    poll(context, { ...wait, check: () => wait.check(log), onPause: left => log.announce(left) }),
  )
}

/** Pauses after a line that has announced the pause. `name` is for the summary. */
export async function pauseAfterLine(
  context: Waiting,
  { line, name, milliseconds }: { line: string; name: string; milliseconds: number },
): Promise<void> {
  const end = context.timeline.wait({ name })
  context.log.info(line)
  try {
    await context.seam.sleep(milliseconds, context.signal)
  } finally {
    end()
  }
}

/** Pauses for the given milliseconds, after logging the reason. */
export async function logAndPause(context: Waiting, milliseconds: number, { what, why }: WaitDescription) {
  if (milliseconds <= 0) return
  const line = `waiting ${renderDuration(milliseconds)} ${what}${renderReason(why)}`
  await pauseAfterLine(context, { line, name: `waiting ${what}`, milliseconds })
}

/** Logs each pause of the clients of the API and of GitHub, before it starts. */
export function reportPauses({ log, timeline }: Pick<Waiting, 'log' | 'timeline'>) {
  const report = (line: string, milliseconds: number, name = 'waiting to retry') => {
    log.info(line)
    timeline.addPause(name, milliseconds)
  }
  return {
    onRetry: (failure: unknown, delay: number) =>
      report(`${messageOf(failure)}; retrying in ${renderDuration(delay)}`, delay),
    onHold: (delay: number) =>
      report(
        `waiting ${renderDuration(delay)} before the next request: the API's rate limit is reached`,
        delay,
      ),
    onLimit: (delay: number) =>
      report(
        `waiting ${renderDuration(delay)} for GitHub: its rate limit is reached`,
        delay,
        "waiting for GitHub's rate limit",
      ),
  }
}

export interface Repetition {
  /** Milliseconds between two attempts. */
  interval: number
  /** The deadline after this failure, on the clock of the seam's `now`; undefined if the failure is permanent. */
  until(failure: unknown): number | undefined
  describe?(failure: unknown): string
}

/**
 * Returns the result of the first successful attempt. Unlike in a poll, each failure determines the deadline, and no
 * pause is shortened: an attempt changes something, so none is added just before the deadline.
 * @throws a permanent failure, or one that leaves no time for another attempt; the signal's reason when cancelled
 */
export async function retry<Result>(
  context: Waiting,
  attempt: () => Promise<Result>,
  { interval, until, describe = messageOf }: Repetition,
): Promise<Result> {
  const { seam, signal } = context
  for (;;) {
    try {
      return await attempt()
    } catch (failure) {
      signal.throwIfAborted()
      const last = until(failure)
      if (last === undefined || seam.now() + interval > last) throw failure
      const line = `${describe(failure)}; retrying in ${renderDuration(interval)}`
      await pauseAfterLine(context, { line, name: 'waiting to retry', milliseconds: interval })
    }
  }
}
