/** Records the timeline of an operation: the spans in which it works or waits. */
import { renderDuration } from '#base/duration'
import type { Seam } from '#base/seam'
import type { Timeline, TimeSpan } from './outcome.ts'

/** Spans below this share of the total are omitted. */
const smallestShare = 0.1

/** Milliseconds of the shortest duration that does not render as `0.0s`. */
const shortestShown = 50

interface OpenSpan extends TimeSpan {
  isOver: boolean
}

/** The duration of each span without the time that earlier spans already cover. */
function* durationsOf(spans: TimeSpan[]): Generator<[string, number]> {
  let counted = 0
  for (const { name, from, until } of spans.toSorted((first, second) => first.from - second.from)) {
    yield [name, Math.max(0, until - Math.max(from, counted))]
    counted = Math.max(counted, until)
  }
}

/** The message at the deadline, the summary and the heartbeat use the timeline. */
export class TimelineRecorder {
  readonly #spans: OpenSpan[] = []
  readonly #seam: Pick<Seam, 'now'>
  readonly #start: number

  constructor(seam: Pick<Seam, 'now'>) {
    this.#seam = seam
    this.#start = seam.now()
  }

  #begin(about: Pick<TimeSpan, 'name' | 'isWait' | 'watched'>, since = this.#seam.now()): OpenSpan {
    const from = since - this.#start
    const span = { ...about, from, until: from, isOver: false }
    this.#spans.push(span)
    return span
  }

  #end(span: OpenSpan): void {
    Object.assign(span, { isOver: true, until: this.#seam.now() - this.#start })
  }

  async time<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    const span = this.#begin({ name, isWait: false })
    try {
      return await run()
    } finally {
      this.#end(span)
    }
  }

  /** Begins an announced wait. The returned function ends it. */
  wait(about: Pick<TimeSpan, 'name' | 'watched'>, since?: number): () => void {
    const span = this.#begin({ ...about, isWait: true }, since)
    return () => this.#end(span)
  }

  /** Adds a pause that the caller does not end, because its length is known. */
  addPause(name: string, milliseconds: number): void {
    const span = this.#begin({ name, isWait: true })
    Object.assign(span, { isOver: true, until: span.from + milliseconds })
  }

  /** The innermost open span that is a wait or has lasted for `least` milliseconds. Without one, the innermost open span. */
  findCurrent(least: number): Pick<TimeSpan, 'name' | 'isWait'> | undefined {
    const now = this.#seam.now() - this.#start
    const open = this.#spans.filter(({ isOver, until }) => !isOver || until > now)
    return open.findLast(({ isWait, from }) => isWait || now - from >= least) ?? open.at(-1)
  }

  get timeline(): Timeline {
    const milliseconds = this.#seam.now() - this.#start
    const spans = this.#spans.map(({ name, isWait, watched, from, until, isOver }) => {
      const end = isOver ? Math.min(until, milliseconds) : milliseconds
      return { name, isWait, watched, from, until: end }
    })
    const waits = durationsOf(spans.filter(({ isWait }) => isWait))
    return { milliseconds, spans, waited: [...waits].reduce((sum, [, time]) => sum + time, 0) }
  }

  /**
   * `30m 00s have passed: waiting for service s2 to be READY took 18m 00s, …`, with the longest span first.
   * Undefined if one span took nearly all the time, since the failure itself names that span.
   */
  render(): string | undefined {
    const { milliseconds: total, spans } = this.timeline
    const totals = new Map<string, number>()
    for (const [name, time] of durationsOf(spans)) totals.set(name, (totals.get(name) ?? 0) + time)
    const remainder = total - [...totals.values()].reduce((sum, time) => sum + time, 0)
    const longestFirst = [...totals].sort(([, first], [, second]) => second - first)
    const shown = [...longestFirst, ['all else', remainder] as const].filter(
      ([, time]) => time > total * smallestShare && time >= shortestShown,
    )
    if (totals.size === 0 || shown.length < 2) return undefined
    const rendered = shown.map(([name, time]) => `${name} took ${renderDuration(time)}`)
    return `${renderDuration(total)} have passed: ${rendered.join(', ')}`
  }
}
