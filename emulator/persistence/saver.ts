/** Saves a changing state: never two writes at the same time, and one for all callers that ask meanwhile. */
export class Saver {
  readonly #write: () => Promise<void>
  /** Settles, never rejects, when the newest write is over. */
  #last: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  /** `write` reads the state before it returns; its promise resolves when the state is safe. */
  constructor(write: () => Promise<void>) {
    this.#write = write
  }

  /** Resolves when all changes so far are safe; rejects if they cannot be saved. */
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
