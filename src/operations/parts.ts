import { renderDuration } from '../client/duration.ts'
import type { Seam } from '../client/seam.ts'

/** Parts below this share of the whole are left out. */
const noteworthy = 0.1

/** Milliseconds below which a time would be shown as `0.0s`. */
const nothing = 50

/** What an operation spends its time on, so that the message at the deadline can say what used it up. */
export class Parts {
  readonly #spent = new Map<string, number>()
  readonly #seam: Pick<Seam, 'now'>
  readonly #start: number

  constructor(seam: Pick<Seam, 'now'>) {
    this.#seam = seam
    this.#start = seam.now()
  }

  async time<Result>(part: string, run: () => Promise<Result>): Promise<Result> {
    const start = this.#seam.now()
    try {
      return await run()
    } finally {
      this.#spent.set(part, (this.#spent.get(part) ?? 0) + this.#seam.now() - start)
    }
  }

  /**
   * `30m 00s have passed: waiting for service s2 to be READY took 18m 00s, …`, the longest part first; undefined if one
   * part took nearly all the time, since the failure itself names that part.
   */
  render(): string | undefined {
    const all = this.#seam.now() - this.#start
    const spent = [...this.#spent].sort(([, one], [, other]) => other - one)
    const rest = all - spent.reduce((sum, [, time]) => sum + time, 0)
    const parts = [...spent, ['all else', rest] as const].filter(
      ([, time]) => time > all * noteworthy && time >= nothing,
    )
    if (spent.length === 0 || parts.length < 2) return undefined
    const told = parts.map(([part, time]) => `${part} took ${renderDuration(time)}`)
    return `${renderDuration(all)} have passed: ${told.join(', ')}`
  }
}

/** Runs a part of an operation, and records its time if the context asks for that. */
export function timed<Result>(
  { parts }: { parts?: Parts | undefined },
  part: string,
  run: () => Promise<Result>,
): Promise<Result> {
  return parts ? parts.time(part, run) : run()
}
