/**
 * Shares one read among all callers that ask at about the same time. A caller never gets a read that started
 * before it asked, so the result is as fresh as its own read. Reads never overlap.
 */
export class SharedRead<Seen> {
  /** The read that has not started yet. */
  #next: Promise<Seen> | undefined
  /** Settles with the read that started last. */
  #last: Promise<unknown> = Promise.resolve()
  readonly #read: () => Promise<Seen>
  readonly #pause: () => Promise<void>

  /** `pause` runs between two reads, while more callers may join the next one. */
  constructor(read: () => Promise<Seen>, pause: () => Promise<void> = async () => {}) {
    this.#read = read
    this.#pause = pause
  }

  /** Joins the next read. A rejection reaches every caller. */
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
    const read = this.#read()
    this.#last = read.catch(() => {})
    return await read
  }
}
