/** Runs jobs one after the other, in order. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs the job when those before it have settled, whether they resolved or rejected. */
  run<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#last.then(job)
    this.#last = result.catch(() => {})
    return result
  }

  /** Resolves when every job so far has settled. */
  async idle(): Promise<void> {
    await this.#last
  }
}
