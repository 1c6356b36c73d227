/** Repeats an attempt after temporary failures. */
import { renderDuration } from '#base/duration'
import { messageOf } from '#base/errors'
import type { Waiting } from '../base/context.ts'
import { restAfter } from './wait-log.ts'

/** Times in milliseconds. */
export interface Repetition {
  /** Between two attempts. */
  interval: number
  /** The deadline after this failure, on the clock of the seam's `now`; undefined if the failure is permanent. */
  until(failure: unknown): number | undefined
  /** The log line for a failure. */
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
      await restAfter(context, { line, name: 'waiting to retry', milliseconds: interval })
    }
  }
}
