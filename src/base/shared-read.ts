/**
 * Shares one read among callers that ask at about the same time. A read that has started takes no more callers, so
 * each result is as recent as if the caller had read by itself. Reads never overlap.
 */
export class SharedRead<Result> {
  /** The read that has not started yet. */
  #next: Promise<Result> | undefined
  /** Settles with the read that started last. */
  #last: Promise<unknown> = Promise.resolve()
  readonly #read: () => Promise<Result>
  readonly #pause: () => Promise<void>

  /** `pause` runs between two reads, while more callers may join the next one. */
  constructor(read: () => Promise<Result>, pause: () => Promise<void> = async () => {}) {
    this.#read = read
    this.#pause = pause
  }

  /** Joins the next read. A rejection reaches every caller. */
  ask(): Promise<Result> {
    this.#next ??= this.#begin()
    return this.#next
  }

  async #begin(): Promise<Result> {
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
