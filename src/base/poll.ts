/** Repeats a status check until it returns a result or reaches its deadline. All waits of the action use this loop. */
import type { Seam } from './seam.ts'

/** Times in milliseconds. */
export interface Poll<Result> {
  /** Pause between two checks. The last check runs at the deadline, so the pause before it may be shorter. */
  interval: number | (() => number)
  /** The deadline, on the clock of the seam's `now`. */
  until: number
  /** Waits for one interval before the first check. */
  startsLater?: boolean | undefined
  /** Returns undefined while the result is pending. An error ends the wait. */
  check(): Promise<Result | undefined>
  /** Called before each pause with the time until the deadline. */
  onPause?(left: number): void
}

interface Timing {
  seam: Pick<Seam, 'now' | 'sleep'>
  signal?: AbortSignal | undefined
}

/** The first result of a check; undefined at the deadline. @throws the signal's reason; the error of a check */
export async function poll<Result>(
  { seam, signal }: Timing,
  { interval, until, startsLater = false, check, onPause }: Poll<Result>,
): Promise<Result | undefined> {
  let isDue = !startsLater
  for (;;) {
    const result = isDue ? await check() : undefined
    if (result !== undefined) return result
    isDue = true
    const left = until - seam.now()
    if (left <= 0) return undefined
    onPause?.(left)
    await seam.sleep(Math.min(left, typeof interval === 'number' ? interval : interval()), signal)
  }
}
