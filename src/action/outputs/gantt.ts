/** Renders the timeline of a step as a Gantt chart. */
import type { Timeline, TimeSpan } from '#operations/base/outcome'

/** Upper limit for a name beside its bar, in characters. */
const longestName = 80

/** Cuts a name that is too long after a whole word. */
const cutName = (name: string) =>
  name.length > longestName ? `${name.slice(0, longestName).replace(/ [^ ]*$/, '')} ...` : name

/** Only plain text: a colon would end a task's name, `;` and `#` the line (Mermaid documentation, Gantt diagrams). */
const taskName = (name: string) => cutName(name.replace(/[^A-Za-z0-9 _.-]/g, '_')) || 'unknown'

/** For a total of at most this many milliseconds: a tick interval with about eight ticks, and the format of times. */
const scales: [longest: number, tick: string, format: string][] = [
  [4000, '500millisecond', '%-S.%Ls'],
  [10_000, '1second', '%-Ss'],
  [60_000, '5second', '%-Ss'],
  [150_000, '15second', '%-M:%S'],
  [600_000, '1minute', '%-M:%S'],
  [3_600_000, '5minute', '%-M:%S'],
]

/**
 * The chart starts at midnight in the time zone of its reader, so that its axis starts at 0:00 everywhere:
 * epoch milliseconds would start at 30 minutes in India. No time zone changes its clocks on that day.
 */
const dateFormat = 'YYYY-MM-DD HH:mm:ss.SSS'
const midnight = Date.UTC(2001, 0, 2)

const renderMoment = (at: number) => new Date(midnight + at).toISOString().slice(0, 23).replace('T', ' ')

/** One bar of the chart. Milliseconds after the start of the step. */
export interface Bar {
  name: string
  from: number
  until: number
}

/** Lower limits for the duration of work that is shown: a share of the total, and milliseconds. */
const visible = { share: 0.01, least: 500 }

/** A run that deletes hundreds of previews waits hundreds of times: only the longest bars are shown. */
const mostBars = 30

/** The statuses during a wait, each with its duration. The first one starts when it was observed. */
const statusBars = ({ from, until, watched }: TimeSpan, prefix: string): Bar[] =>
  (watched?.history ?? []).map(({ status, at }, index, history) => {
    const next = history[index + 1]?.at
    return {
      name: `${prefix}${status}`,
      from: from + at,
      until: Math.max(from + at, next === undefined ? until : from + next),
    }
  })

const isWithin = (inner: TimeSpan, outer: TimeSpan) =>
  inner !== outer && inner.from >= outer.from && inner.until <= outer.until

/**
 * The spans of a step as bars, ordered by their start. A wait with statuses has a bar for each; if there are
 * several records, the bars have their ids.
 */
export function barsOf({ spans, milliseconds }: Timeline): Bar[] {
  const ids = new Set(spans.flatMap(({ watched }) => watched?.id ?? []))
  const isLong = ({ from, until }: TimeSpan) =>
    until - from >= Math.max(milliseconds * visible.share, visible.least)
  // Of nested spans only the innermost is shown: the span of a connection lasts as long as the work in it.
  const isInnermost = (span: TimeSpan) =>
    isLong(span) &&
    !spans.some(
      other =>
        (other.isWait && isWithin(span, other)) || (!other.isWait && isLong(other) && isWithin(other, span)),
    )
  const bars = spans.flatMap(span => {
    const { watched } = span
    if (watched?.history.length) return statusBars(span, ids.size > 1 ? `${watched.id} ` : '')
    return span.isWait || isInnermost(span) ? [span] : []
  })
  const lengthOf = ({ from, until }: Bar) => until - from
  const longestFirst = bars.toSorted((one, other) => lengthOf(other) - lengthOf(one))
  return longestFirst.slice(0, mostBars).sort((one, other) => one.from - other.from)
}

/** The bars as a Mermaid Gantt chart, which GitHub renders from a code block. `end`: the end of the step. */
export function renderGantt(title: string, bars: Bar[], end: number): string {
  const tasks = bars.map(({ name, from, until }) => {
    const start = Math.round(from)
    const duration = Math.round(until) - start
    // A bar without length is invisible, a milestone is not.
    const mark = duration <= 0 ? 'milestone' : 'active'
    return `  ${taskName(name)} :${mark}, ${renderMoment(start)}, ${Math.max(0, duration)}ms`
  })
  const [, tick = '30minute', format = '%-H:%M h'] = scales.find(([longest]) => end <= longest) ?? []
  return [
    'gantt',
    `  title ${taskName(title)}`,
    `  dateFormat ${dateFormat}`,
    `  axisFormat ${format}`,
    `  tickInterval ${tick}`,
    ...tasks,
  ].join('\n')
}
