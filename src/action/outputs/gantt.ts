import type { Course, Stretch } from '#operations/base/outcome'

/** Characters of a name: it stands beside its bar. */
const longestName = 80

/** A name that is too long ends after a whole word. */
const cutName = (name: string) =>
  name.length > longestName ? `${name.slice(0, longestName).replace(/ [^ ]*$/, '')} ...` : name

/** Only plain text: a colon would end a task's name, `;` and `#` the line (Mermaid documentation, Gantt diagrams). */
const taskName = (name: string) => cutName(name.replace(/[^A-Za-z0-9 _.-]/g, '_')) || 'unknown'

/** By the longest wait in milliseconds: the distance between ticks (about eight of them), and the format of times. */
const scales: [number, string, string][] = [
  [4000, '500millisecond', '%-S.%Ls'],
  [10_000, '1second', '%-Ss'],
  [60_000, '5second', '%-Ss'],
  [150_000, '15second', '%-M:%S'],
  [600_000, '1minute', '%-M:%S'],
  [3_600_000, '5minute', '%-M:%S'],
]

/**
 * The chart begins at midnight in the time zone of whoever looks at it, so that its axis reads from 0:00
 * everywhere: epoch milliseconds would begin at 30 minutes in India. Nobody changes clocks on that day.
 */
const dateFormat = 'YYYY-MM-DD HH:mm:ss.SSS'
const midnight = Date.UTC(2001, 0, 2)

const renderMoment = (at: number) => new Date(midnight + at).toISOString().slice(0, 23).replace('T', ' ')

/** One bar of the chart. Milliseconds after the step began. */
export interface Bar {
  name: string
  from: number
  until: number
}

/** The least share of the whole, and the fewest milliseconds, with which something that is no wait is shown. */
const visible = { share: 0.01, least: 500 }

/** A run that deletes hundreds of previews waits hundreds of times: only the longest bars are shown. */
const mostBars = 30

/** The statuses that a wait saw, each as long as it lasted. Before the first one, nothing was known. */
const statusBars = ({ from, until, watched }: Stretch, prefix: string): Bar[] =>
  (watched?.history ?? []).map(({ status, at }, index, history) => {
    const next = history[index + 1]?.at
    return {
      name: `${prefix}${status}`,
      from: from + at,
      until: Math.max(from + at, next === undefined ? until : from + next),
    }
  })

const isWithin = (inner: Stretch, outer: Stretch) =>
  inner !== outer && inner.from >= outer.from && inner.until <= outer.until

/**
 * What a step did and waited for, as bars in the order of their beginnings. A wait that saw statuses is a bar for each of them;
 * where several records were waited for, their ids tell them apart.
 */
export function barsOf({ stretches, milliseconds }: Course): Bar[] {
  const ids = new Set(stretches.flatMap(({ watched }) => watched?.id ?? []))
  const isLong = ({ from, until }: Stretch) =>
    until - from >= Math.max(milliseconds * visible.share, visible.least)
  // What a span consists of is more telling: the first connection to a database lasts as long as the work there.
  const isInner = (stretch: Stretch) =>
    isLong(stretch) &&
    !stretches.some(
      other =>
        (other.isWait && isWithin(stretch, other)) ||
        (!other.isWait && isLong(other) && isWithin(other, stretch)),
    )
  const bars = stretches.flatMap(stretch => {
    const { watched } = stretch
    if (watched?.history.length) return statusBars(stretch, ids.size > 1 ? `${watched.id} ` : '')
    return stretch.isWait || isInner(stretch) ? [stretch] : []
  })
  const longest = bars.toSorted((one, other) => other.until - other.from - (one.until - one.from))
  return longest.slice(0, mostBars).sort((one, other) => one.from - other.from)
}

/** The bars of a step as a Mermaid Gantt chart, which GitHub draws in a block of code. `end`: when the step was over. */
export function renderGantt(title: string, bars: Bar[], end: number): string {
  const tasks = bars.map(({ name, from, until }) => {
    const begin = Math.round(from)
    const lasted = Math.round(until) - begin
    // A bar without length is invisible, a milestone is not.
    const mark = lasted <= 0 ? 'milestone' : 'active'
    return `  ${taskName(name)} :${mark}, ${renderMoment(begin)}, ${Math.max(0, lasted)}ms`
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
