import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Observed, type Row, runRow } from './run-row.ts'

/** Most of a row is waiting; with more at once, its processes wait for a processor. */
const atOnce = 16

/** Runs each row once, whoever asks for it and how often, and only some at a time. */
export class Matrix {
  readonly #observed = new Map<Row, Promise<Observed>>()
  readonly #waiting: (() => void)[] = []
  /** Hundreds of processes start from the same file: what one has compiled, the others need not. */
  readonly #compiled = mkdtemp(join(tmpdir(), 'compiled-'))
  #running = 0

  observe(row: Row): Promise<Observed> {
    const observed = this.#observed.get(row) ?? this.#run(row)
    this.#observed.set(row, observed)
    return observed
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#observed.values())
    await rm(await this.#compiled, { recursive: true, force: true })
  }

  async #run(row: Row): Promise<Observed> {
    while (this.#running >= atOnce) await new Promise<void>(resolve => this.#waiting.push(resolve))
    this.#running += 1
    try {
      return await runRow(row, { NODE_COMPILE_CACHE: await this.#compiled })
    } finally {
      this.#running -= 1
      this.#waiting.shift()?.()
    }
  }
}
