/** Saves what changes all the time: never twice at the same time, and once for everybody who asks meanwhile. */
export class Saver {
  readonly #write: () => Promise<void>
  /** Settles, never rejects, when the newest write is over. */
  #last: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  /** `write` reads everything before it returns; resolves when it is safe. */
  constructor(write: () => Promise<void>) {
    this.#write = write
  }

  /** Resolves when all that had changed by now is safe; rejects when it cannot be saved. */
  save(): Promise<void> {
    this.#next ??= this.#last.then(() => {
      this.#next = undefined
      const written = this.#write()
      this.#last = written.catch(() => {})
      return written
    })
    return this.#next
  }
}
