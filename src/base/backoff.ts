/** Pauses all calls of a step while the server limits their rate. */
import type { Seam } from './seam.ts'

/** Milliseconds. Upper limit for one pause. A call that is refused again afterwards reports its own error. */
const longestPause = 60_000

export class Backoff {
  #until = Number.NEGATIVE_INFINITY
  /** The end of the pause that was reported last. */
  #reported = Number.NEGATIVE_INFINITY
  readonly #seam: Pick<Seam, 'now' | 'sleep'>
  readonly #onHold: (milliseconds: number) => void

  /** `onHold` is called once for each pause, with its remaining time, when the first call has to wait. */
  constructor(seam: Pick<Seam, 'now' | 'sleep'>, onHold: (milliseconds: number) => void = () => {}) {
    this.#seam = seam
    this.#onHold = onHold
  }

  /** Starts or extends the pause. */
  pause(milliseconds: number): void {
    this.#until = Math.max(this.#until, this.#seam.now() + Math.min(longestPause, milliseconds))
  }

  /**
   * Waits for the end of the pause. If that is after the deadline, the call does not wait, since it may still
   * succeed.
   */
  async waitUntilOver(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    while (this.#until > this.#seam.now() && this.#until <= deadline) {
      const remaining = this.#until - this.#seam.now()
      if (this.#reported !== this.#until) this.#onHold(remaining)
      this.#reported = this.#until
      await this.#seam.sleep(remaining, signal)
    }
  }
}
