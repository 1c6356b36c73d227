import type { Observed, Row } from './run-row.ts'
import { runRow } from './run-row.ts'

/** Most of a row is waiting; more at once than this, and the processes wait for a processor. */
const atOnce = 12

/** Runs each row once, whoever asks for it and how often, and only some at a time. */
export class Matrix {
  readonly #observed = new Map<Row, Promise<Observed>>()
  readonly #waiting: (() => void)[] = []
  #running = 0

  observe(row: Row): Promise<Observed> {
    const known = this.#observed.get(row) ?? this.#run(row)
    this.#observed.set(row, known)
    return known
  }

  async #run(row: Row): Promise<Observed> {
    while (this.#running >= atOnce) await new Promise<void>(resolve => this.#waiting.push(resolve))
    this.#running += 1
    try {
      return await runRow(row)
    } finally {
      this.#running -= 1
      this.#waiting.shift()?.()
    }
  }
}
