import type { StatusChange } from '../operations/settled.ts'

/** A task's name ends at a colon and a line at `;` or `#` (Mermaid documentation, Gantt diagrams): only plain text gets in. */
const taskName = (status: string) => status.replace(/[^A-Za-z0-9 _.-]/g, '_').slice(0, 40) || 'unknown'

/** Times on the axis read as minutes and seconds from the start of the wait. */
const axis = ['dateFormat x', 'axisFormat %M:%S']

/**
 * How long each status lasted, as a Mermaid Gantt chart that GitHub renders in summaries. Times are
 * milliseconds after the start of the wait; the last status ends with the wait.
 */
export function renderGantt(title: string, history: StatusChange[], end: number): string {
  const tasks = history.map(({ status, at }, index) => {
    const from = index === 0 ? 0 : Math.round(at)
    const until = Math.max(from + 1, Math.round(history[index + 1]?.at ?? end))
    const mark = index === history.length - 1 ? 'active' : 'done'
    return `  ${taskName(status)} :${mark}, ${from}, ${until}`
  })
  return [
    '```mermaid',
    'gantt',
    `  title ${taskName(title)}`,
    ...axis.map(line => `  ${line}`),
    ...tasks,
    '```',
  ].join('\n')
}
