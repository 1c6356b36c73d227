import type { Seam } from './seam.ts'

/** The longest that others wait for what one was told; milliseconds. After that each is told by itself. */
const longest = 60_000

/** Where a server tells one of many calls to come back later, all of them wait: it has too much to do for any. */
export class Backoff {
  #until = Number.NEGATIVE_INFINITY
  readonly #seam: Pick<Seam, 'now' | 'sleep'>

  constructor(seam: Pick<Seam, 'now' | 'sleep'>) {
    this.#seam = seam
  }

  /** One was told to wait for so many milliseconds. */
  hold(milliseconds: number): void {
    this.#until = Math.max(this.#until, this.#seam.now() + Math.min(longest, milliseconds))
  }

  /** Waits as long as any was told to. Not beyond the deadline: then it is better to try. */
  async pass(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    while (this.#until > this.#seam.now() && this.#until <= deadline)
      await this.#seam.sleep(this.#until - this.#seam.now(), signal)
  }
}
