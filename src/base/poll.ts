/** The one loop that repeats a status check until it gives a result or its time is over. */
import type { Seam } from './seam.ts'

/** One wait. Times in milliseconds. */
export interface Poll<Result> {
  /** Between two checks. The last check comes at the deadline, even where that is sooner. */
  interval: number | (() => number)
  /** The deadline: a moment of the seam's `now`. */
  until: number
  /** Waits for one interval before the first check. */
  startsLater?: boolean | undefined
  /** One status check. Gives undefined while the result is pending; an error ends the wait. */
  check(): Promise<Result | undefined>
  /** Called before each pause: how much time is left, and how long the pause is. */
  onPause?(left: number, pause: number): void
}

/** What ends a poll early. */
interface Timing {
  seam: Pick<Seam, 'now' | 'sleep'>
  signal?: AbortSignal | undefined
}

/**
 * The first result of a check; undefined when none came by the deadline.
 *
 * @throws the signal's reason when the wait is cancelled; the error of a check
 */
export async function poll<Result>(
  { seam, signal }: Timing,
  { interval, until, startsLater = false, check, onPause }: Poll<Result>,
): Promise<Result | undefined> {
  for (let isDue = !startsLater; ; isDue = true) {
    const result = isDue ? await check() : undefined
    if (result !== undefined) return result
    const left = until - seam.now()
    if (left <= 0) return undefined
    const pause = Math.min(left, typeof interval === 'number' ? interval : interval())
    onPause?.(left, pause)
    await seam.sleep(pause, signal)
  }
}
