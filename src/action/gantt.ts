import type { StatusChange } from '../operations/outcome.ts'

/** Only plain text: a colon would end a task's name, `;` and `#` the line (Mermaid documentation, Gantt diagrams). */
const taskName = (status: string) => status.replace(/[^A-Za-z0-9 _.-]/g, '_').slice(0, 40) || 'unknown'

/** By the longest wait in milliseconds: the distance between ticks (about eight of them), and the format of times. */
const scales: [number, string, string][] = [
  [4000, '500millisecond', '%-S.%Ls'],
  [10_000, '1second', '%-Ss'],
  [60_000, '5second', '%-Ss'],
  [150_000, '15second', '%-M:%S'],
  [600_000, '1minute', '%-M:%S'],
  [3_600_000, '5minute', '%-M:%S'],
  [Number.POSITIVE_INFINITY, '30minute', '%-H:%M h'],
]

/**
 * The chart begins at midnight in the time zone of whoever looks at it, so that its axis reads from 0:00
 * everywhere: epoch milliseconds would begin at 30 minutes in India. Nobody changes clocks on that day.
 */
const dateFormat = 'YYYY-MM-DD HH:mm:ss.SSS'
const midnight = Date.UTC(2001, 0, 2)

const renderMoment = (at: number) => new Date(midnight + at).toISOString().slice(0, 23).replace('T', ' ')

/**
 * How long each status lasted, as a Mermaid Gantt chart that GitHub renders in summaries. Times are
 * milliseconds after the start of the wait; the last status ends with the wait.
 */
export function renderGantt(title: string, history: StatusChange[], end: number): string {
  const tasks = history.map(({ status, at }, index) => {
    // Begins when the status was first seen, like the table below the chart: what was before is unknown.
    const from = Math.round(at)
    const lasted = Math.round(history[index + 1]?.at ?? end) - from
    // A bar without length is invisible, a milestone is not.
    const mark = lasted <= 0 ? 'milestone' : 'active'
    return `  ${taskName(status)} :${mark}, ${renderMoment(from)}, ${Math.max(0, lasted)}ms`
  })
  const [, tick, format] = scales.find(([longest]) => end <= longest) as [number, string, string]
  return [
    '```mermaid',
    'gantt',
    `  title ${taskName(title)}`,
    `  dateFormat ${dateFormat}`,
    `  axisFormat ${format}`,
    `  tickInterval ${tick}`,
    ...tasks,
    '```',
  ].join('\n')
}
