/** Runs the rows of the fault matrix. */
import type { StepRunner } from '../workbench.ts'
import { titleOf } from './rows.ts'
import { type Observed, type Row, runRow } from './run-row.ts'

/** Concurrent rows. Some wait for a missing answer; more rows would compete for the processor. */
const atOnce = 6

/** Signals to a process, of operations with code of their own. */
const shownAsProcess = new Set(['SIGTERM before the answer', 'SIGKILL during the wait'])

/** Most rows run without a process, which takes ten times as long to start as the rest of the row. */
const wayOf = (row: Row): StepRunner =>
  'interruption' in row && !row.subject.isAlike && shownAsProcess.has(titleOf(row)) ? 'process' : 'in-process'

/** Runs each row once, and only a few at a time. */
export class Matrix {
  readonly #observed = new Map<Row, Promise<Observed>>()
  readonly #waiting: (() => void)[] = []
  #running = 0

  observe(row: Row): Promise<Observed> {
    const observed = this.#observed.get(row) ?? this.#run(row)
    this.#observed.set(row, observed)
    return observed
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#observed.values())
  }

  async #run(row: Row): Promise<Observed> {
    while (this.#running >= atOnce) await new Promise<void>(resolve => this.#waiting.push(resolve))
    this.#running += 1
    try {
      return await runRow(row, wayOf(row))
    } finally {
      this.#running -= 1
      this.#waiting.shift()?.()
    }
  }
}
