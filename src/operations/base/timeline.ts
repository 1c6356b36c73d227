/** The timeline of an operation. */
import { renderDuration } from '#base/duration'
import type { Seam } from '#base/seam'
import type { Timeline, TimeSpan } from './outcome.ts'

/** Spans below this share of the total are omitted. */
const noteworthy = 0.1

/** Milliseconds without a line after which the step logs a heartbeat. */
export const longestSilence = 4500

const never = Number.NEGATIVE_INFINITY

/** Milliseconds below which a duration would render as `0.0s`. */
const nothing = 50

interface Open extends TimeSpan {
  isOver: boolean
  /** The log has announced that no line follows until this time, on the clock of the seam's `now`. */
  quietUntil: number
}

/** The duration of each span without the time that earlier spans already cover. */
function* timesOf(spans: TimeSpan[]): Generator<[string, number]> {
  let counted = 0
  for (const { name, from, until } of spans.toSorted((one, other) => one.from - other.from)) {
    yield [name, Math.max(0, until - Math.max(from, counted))]
    counted = Math.max(counted, until)
  }
}

/** Records the timeline of an operation: for the message at the deadline, the summary, and the heartbeat. */
export class TimelineRecorder {
  readonly #spans: Open[] = []
  readonly #seam: Pick<Seam, 'now'>
  readonly #start: number

  constructor(seam: Pick<Seam, 'now'>) {
    this.#seam = seam
    this.#start = seam.now()
  }

  #begin(parts: Pick<TimeSpan, 'name' | 'isWait' | 'watched'>, since = this.#seam.now()): Open {
    const from = since - this.#start
    const span = { ...parts, from, until: from, isOver: false, quietUntil: never }
    this.#spans.push(span)
    return span
  }

  #end(span: Open): void {
    Object.assign(span, { isOver: true, quietUntil: never, until: this.#seam.now() - this.#start })
  }

  async time<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    const span = this.#begin({ name, isWait: false })
    try {
      return await run()
    } finally {
      this.#end(span)
    }
  }

  /** An announced wait. Call `quiet` after each further line, with the milliseconds until the next one. */
  wait(parts: Pick<TimeSpan, 'name' | 'watched'>, since?: number) {
    const span = this.#begin({ ...parts, isWait: true }, since)
    return {
      quiet: (milliseconds: number) => {
        span.quietUntil = this.#seam.now() + milliseconds
      },
      end: () => this.#end(span),
    }
  }

  rest(name: string, milliseconds: number): void {
    const span = this.#begin({ name, isWait: true })
    const quietUntil = this.#seam.now() + milliseconds + longestSilence
    Object.assign(span, { isOver: true, quietUntil, until: span.from + milliseconds })
  }

  get current(): string | undefined {
    return this.#spans.findLast(({ isOver }) => !isOver)?.name
  }

  /** The latest time until which the log has announced silence, on the clock of the seam's `now`. */
  get quietUntil(): number {
    return Math.max(...this.#spans.map(({ quietUntil }) => quietUntil))
  }

  get timeline(): Timeline {
    const milliseconds = this.#seam.now() - this.#start
    const spans = this.#spans.map(({ name, isWait, watched, from, until, isOver }) => {
      const end = isOver ? Math.min(until, milliseconds) : milliseconds
      return { name, isWait, from, until: end, ...(watched && { watched }) }
    })
    const waits = timesOf(spans.filter(({ isWait }) => isWait))
    return { milliseconds, spans, waited: [...waits].reduce((sum, [, time]) => sum + time, 0) }
  }

  /**
   * `30m 00s have passed: waiting for service s2 to be READY took 18m 00s, …`, with the longest span first.
   * Undefined if one span took nearly all the time, since the failure itself names that span.
   */
  render(): string | undefined {
    const { milliseconds: all, spans } = this.timeline
    const spent = new Map<string, number>()
    for (const [name, time] of timesOf(spans)) spent.set(name, (spent.get(name) ?? 0) + time)
    const rest = all - [...spent.values()].reduce((sum, time) => sum + time, 0)
    const sorted = [...spent].sort(([, one], [, other]) => other - one)
    const parts = [...sorted, ['all else', rest] as const].filter(
      ([, time]) => time > all * noteworthy && time >= nothing,
    )
    if (spent.size === 0 || parts.length < 2) return undefined
    const rendered = parts.map(([part, time]) => `${part} took ${renderDuration(time)}`)
    return `${renderDuration(all)} have passed: ${rendered.join(', ')}`
  }
}
