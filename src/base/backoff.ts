/** Pauses requests that the server refuses for a while. */
import type { Seam } from './seam.ts'

/**
 * Milliseconds. Upper limit for the pause of all calls after one 429; a call that is still refused then
 * reports its own error.
 */
const longest = 60_000

/** Pauses all calls of a step when the server answers one of them with 429 or Retry-After. */
export class Backoff {
  #until = Number.NEGATIVE_INFINITY
  /** The end of the pause that was reported last. */
  #reported = Number.NEGATIVE_INFINITY
  readonly #seam: Pick<Seam, 'now' | 'sleep'>
  readonly #onHold: (milliseconds: number) => void

  /** `onHold` is called once for each pause, when the first call waits for its end. */
  constructor(seam: Pick<Seam, 'now' | 'sleep'>, onHold: (milliseconds: number) => void = () => {}) {
    this.#seam = seam
    this.#onHold = onHold
  }

  /** Starts or extends the pause. */
  hold(milliseconds: number): void {
    this.#until = Math.max(this.#until, this.#seam.now() + Math.min(longest, milliseconds))
  }

  /** Waits for the end of the pause. Does not wait if that is after the deadline, since the call may still succeed. */
  async pass(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    while (this.#until > this.#seam.now() && this.#until <= deadline) {
      const left = this.#until - this.#seam.now()
      if (this.#reported !== this.#until) this.#onHold(left)
      this.#reported = this.#until
      await this.#seam.sleep(left, signal)
    }
  }
}
