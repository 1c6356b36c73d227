import type { Seam } from './seam.ts'

/** Milliseconds for which one 429 holds back other calls, at most. After that each call gets its own answer. */
const longest = 60_000

/** Holds back all calls of a step when the server tells one of them to come back later: it is too busy for any. */
export class Backoff {
  #until = Number.NEGATIVE_INFINITY
  /** The end of the hold that was told last. */
  #told = Number.NEGATIVE_INFINITY
  readonly #seam: Pick<Seam, 'now' | 'sleep'>
  readonly #onHold: (milliseconds: number) => void

  /** `onHold` is told once of each hold, when the first call waits because of it. */
  constructor(seam: Pick<Seam, 'now' | 'sleep'>, onHold: (milliseconds: number) => void = () => {}) {
    this.#seam = seam
    this.#onHold = onHold
  }

  #tell(left: number): void {
    if (this.#told === this.#until) return
    this.#told = this.#until
    this.#onHold(left)
  }

  /** Notes for how many milliseconds a call was told to wait. */
  hold(milliseconds: number): void {
    this.#until = Math.max(this.#until, this.#seam.now() + Math.min(longest, milliseconds))
  }

  /**
   * Waits as long as any call was told to. If that is beyond the deadline, does not wait: the call may still succeed.
   */
  async pass(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    while (this.#until > this.#seam.now() && this.#until <= deadline) {
      const left = this.#until - this.#seam.now()
      this.#tell(left)
      await this.#seam.sleep(left, signal)
    }
  }
}
