/** Divides long synchronous work into slices, so that it does not block the process. */
import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work after which the rest of the process continues. */
const longest = 5

/**
 * Limits how long synchronous work blocks the process. Small files are handled several times faster without promises, each of
 * which costs two switches between threads.
 */
export class TimeSlice {
  #since = performance.now()

  /** Whether to await `next` before the next piece of work. */
  get isOver(): boolean {
    return performance.now() - this.#since > longest
  }

  /** Starts the next slice after all waiting work has run. */
  async next(): Promise<void> {
    await setImmediate()
    this.#since = performance.now()
  }
}
