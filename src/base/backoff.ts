/** Pauses all calls of a step while the server limits their rate. */
import type { Seam } from './seam.ts'

/** Milliseconds. Upper limit for one pause. A call that is refused again afterwards reports its own error. */
const longestPause = 60_000

/** `onHold` is called once for each pause, with its remaining time, when the first call has to wait. */
export function createBackoff(
  seam: Pick<Seam, 'now' | 'sleep'>,
  onHold: (milliseconds: number) => void = () => {},
) {
  let until = Number.NEGATIVE_INFINITY
  /** The end of the pause that was reported last. */
  let reported = until
  return {
    /** Starts or extends the pause. */
    pause(milliseconds: number): void {
      until = Math.max(until, seam.now() + Math.min(longestPause, milliseconds))
    },

    /** Waits for the end of the pause, unless that is after the deadline: the call may still succeed. */
    async waitUntilOver(deadline: number, signal: AbortSignal | undefined): Promise<void> {
      while (until > seam.now() && until <= deadline) {
        const remaining = until - seam.now()
        if (reported !== until) onHold(remaining)
        reported = until
        await seam.sleep(remaining, signal)
      }
    },
  }
}
