/** Repeats an attempt after failures that may pass. */
import { renderDuration } from '#base/duration'
import { messageOf } from '#base/errors'
import type { Waiting } from '../base/context.ts'
import { restAfter } from './wait-log.ts'

/** When to repeat an attempt. Times in milliseconds. */
export interface Repetition {
  /** Between two attempts. */
  interval: number
  /** The deadline of this failure, a moment of the seam's `now`; undefined when the failure cannot pass. */
  until(failure: unknown): number | undefined
  /** The line that the log shows of a failure. */
  describe?(failure: unknown): string
}

/**
 * The result of the first attempt that succeeds. Unlike in a poll, each failure decides on the deadline, and no pause is
 * shortened: an attempt changes something, so none is added just before the deadline.
 *
 * @throws the failure that cannot pass, or that leaves no time for another attempt; the signal's reason when cancelled
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
      const line = `${describe(failure)}; trying again in ${renderDuration(interval)}`
      await restAfter(context, { line, name: 'waiting to try again', milliseconds: interval })
    }
  }
}
