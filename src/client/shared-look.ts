/**
 * One look for all who ask at about the same time. It is as fresh as one of their own: whoever asks gets a look that
 * begins after that. There is never more than one at a time.
 */
export class SharedLook<Seen> {
  /** The one that has not begun yet. */
  #next: Promise<Seen> | undefined
  /** Settles with the one that began last. */
  #last: Promise<unknown> = Promise.resolve()
  readonly #look: () => Promise<Seen>
  readonly #pause: () => Promise<void>

  /** `pause` is awaited between two looks, while others may still join the next one. */
  constructor(look: () => Promise<Seen>, pause: () => Promise<void> = async () => {}) {
    this.#look = look
    this.#pause = pause
  }

  /** Rejects with what the look rejects with, for each who asked. */
  ask(): Promise<Seen> {
    this.#next ??= this.#begin()
    return this.#next
  }

  async #begin(): Promise<Seen> {
    try {
      await this.#last
      await this.#pause()
    } finally {
      this.#next = undefined
    }
    const look = this.#look()
    this.#last = look.catch(() => {})
    return await look
  }
}
