/** Bounds how many jobs run at the same time. */
export class Gate {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(limit: number) {
    this.#free = limit
  }

  /** Runs the job as soon as there is room. With `first` it goes before waiting jobs: it ends what another one began. */
  async run<T>(job: () => Promise<T>, { first = false } = {}): Promise<T> {
    if (this.#free > 0) this.#free--
    else {
      await new Promise<void>(resolve => {
        if (first) this.#waiting.unshift(resolve)
        else this.#waiting.push(resolve)
      })
    }
    try {
      return await job()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}

/** Runs the job for each item, with bounded concurrency. Once one has failed, no other is started. */
export async function runEach<Item>(
  items: Iterable<Item>,
  limit: number,
  job: (item: Item) => Promise<void>,
): Promise<void> {
  const gate = new Gate(limit)
  let hasFailed = false
  const runOne = async (item: Item) => {
    if (hasFailed) return
    try {
      await job(item)
    } catch (failure) {
      hasFailed = true
      throw failure
    }
  }
  await Promise.all(Array.from(items, item => gate.run(() => runOne(item))))
}
