import { renderDuration } from '#base/duration'
import type { Seam } from '#base/seam'
import type { Course, Stretch } from './outcome.ts'

/** Parts below this share of the whole are left out. */
const noteworthy = 0.1

/** Milliseconds without a line after which a step says what keeps it. */
export const longestSilence = 4500

const never = Number.NEGATIVE_INFINITY

/** Milliseconds below which a time would be shown as `0.0s`. */
const nothing = 50

/** A stretch of the operation that has begun. */
interface Open extends Stretch {
  isOver: boolean
  /** A line of the log has said that nothing more is heard until this moment of the seam's `now`. */
  quietUntil: number
}

/** The time that each stretch took beside those that began before it, so that no moment counts twice. */
function* timesOf(stretches: Stretch[]): Generator<[string, number]> {
  let counted = 0
  for (const { name, from, until } of stretches.toSorted((one, other) => one.from - other.from)) {
    yield [name, Math.max(0, until - Math.max(from, counted))]
    counted = Math.max(counted, until)
  }
}

/** What an operation spends its time on: for the message at the deadline, the summary, and signs of life. */
export class Parts {
  readonly #stretches: Open[] = []
  readonly #seam: Pick<Seam, 'now'>
  readonly #start: number

  constructor(seam: Pick<Seam, 'now'>) {
    this.#seam = seam
    this.#start = seam.now()
  }

  #begin(parts: Pick<Stretch, 'name' | 'isWait' | 'watched'>, since = this.#seam.now()): Open {
    const from = since - this.#start
    const stretch = { ...parts, from, until: from, isOver: false, quietUntil: never }
    this.#stretches.push(stretch)
    return stretch
  }

  #end(stretch: Open): void {
    Object.assign(stretch, { isOver: true, quietUntil: never, until: this.#seam.now() - this.#start })
  }

  async time<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    const stretch = this.#begin({ name, isWait: false })
    try {
      return await run()
    } finally {
      this.#end(stretch)
    }
  }

  /**
   * A wait that a line of the log has named. `quiet` is called with each further line: how many milliseconds may pass
   * until the next one.
   */
  wait(parts: Pick<Stretch, 'name' | 'watched'>, since?: number) {
    const stretch = this.#begin({ ...parts, isWait: true }, since)
    return {
      quiet: (milliseconds: number) => {
        stretch.quietUntil = this.#seam.now() + milliseconds
      },
      end: () => this.#end(stretch),
    }
  }

  /** A rest whose length, in milliseconds, a line of the log has just named. */
  rest(name: string, milliseconds: number): void {
    const stretch = this.#begin({ name, isWait: true })
    const quietUntil = this.#seam.now() + milliseconds + longestSilence
    Object.assign(stretch, { isOver: true, quietUntil, until: stretch.from + milliseconds })
  }

  /** What is going on now, as far as it is known. */
  get current(): string | undefined {
    return this.#stretches.findLast(({ isOver }) => !isOver)?.name
  }

  /** Until when the log has said that nothing is heard; a moment of the seam's `now`. */
  get quietUntil(): number {
    return Math.max(...this.#stretches.map(({ quietUntil }) => quietUntil))
  }

  /** How it went so far. What is not over yet lasts until now. */
  get course(): Course {
    const milliseconds = this.#seam.now() - this.#start
    const stretches = this.#stretches.map(({ name, isWait, watched, from, until, isOver }) => {
      const end = isOver ? Math.min(until, milliseconds) : milliseconds
      return { name, isWait, from, until: end, ...(watched && { watched }) }
    })
    const waits = timesOf(stretches.filter(({ isWait }) => isWait))
    return { milliseconds, stretches, waited: [...waits].reduce((sum, [, time]) => sum + time, 0) }
  }

  /**
   * `30m 00s have passed: waiting for service s2 to be READY took 18m 00s, …`, the longest part first; undefined if one
   * part took nearly all the time, since the failure itself names that part.
   */
  render(): string | undefined {
    const { milliseconds: all, stretches } = this.course
    const spent = new Map<string, number>()
    for (const [name, time] of timesOf(stretches)) spent.set(name, (spent.get(name) ?? 0) + time)
    const rest = all - [...spent.values()].reduce((sum, time) => sum + time, 0)
    const sorted = [...spent].sort(([, one], [, other]) => other - one)
    const parts = [...sorted, ['all else', rest] as const].filter(
      ([, time]) => time > all * noteworthy && time >= nothing,
    )
    if (spent.size === 0 || parts.length < 2) return undefined
    const told = parts.map(([part, time]) => `${part} took ${renderDuration(time)}`)
    return `${renderDuration(all)} have passed: ${told.join(', ')}`
  }
}

/** Runs a part of an operation, and records its time. */
export function timed<Result>(
  { parts }: { parts: Parts },
  part: string,
  run: () => Promise<Result>,
): Promise<Result> {
  return parts.time(part, run)
}
