/**
 * Shares one look among all callers that ask at about the same time. No caller gets a look that had begun before it
 * asked, so each is as fresh as a look of its own. There is never more than one at a time.
 */
export class SharedLook<Seen> {
  /** The look that has not begun yet. */
  #next: Promise<Seen> | undefined
  /** Settles with the look that began last. */
  #last: Promise<unknown> = Promise.resolve()
  readonly #look: () => Promise<Seen>
  readonly #pause: () => Promise<void>

  /** `pause` is awaited between two looks, while others may still join the next one. */
  constructor(look: () => Promise<Seen>, pause: () => Promise<void> = async () => {}) {
    this.#look = look
    this.#pause = pause
  }

  /** Joins the next look. If it rejects, it does so for every caller. */
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
