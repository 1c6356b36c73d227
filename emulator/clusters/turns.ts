import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work after which everything else in the process has its turn. */
const longest = 5

/**
 * Divides long work that blocks the process. Small files are handled several times faster without promises, each of
 * which costs two changes of the thread.
 */
export class Turns {
  #since = performance.now()

  /** Whether `next` is to be awaited before the next piece of the work. */
  get isOver(): boolean {
    return performance.now() - this.#since > longest
  }

  /** Begins another turn after all that waited for this one's end. */
  async next(): Promise<void> {
    await setImmediate()
    this.#since = performance.now()
  }
}
