import { renderDuration } from '../client/duration.ts'
import type { PreviewReport } from '../preview/github.ts'
import { parsePreviewBase, usualPrefix } from '../preview/name.ts'
import { renderCode } from './plain-code.ts'

/** The first line of our comments: invisible, and different for each preview. */
export function renderMarker(name: string): string {
  // Encoded, so that no name can end the HTML comment.
  return `<!-- managed-database-action:preview:${encodeURIComponent(name.toWellFormed())} -->`
}

/** Whether a comment's text is one that we wrote about the preview. */
export function hasMarker(body: string, name: string): boolean {
  return body.split('\n', 1)[0]?.trim() === renderMarker(name)
}

const headings: Record<PreviewReport['state'], string> = {
  creating: 'being created',
  ready: 'ready',
  failed: 'failed',
  deleted: 'deleted',
}

/** Several previews of one pull request are told apart by their prefix; the usual one goes without saying. */
function renderHeading(name: string, state: string): string {
  const prefix = parsePreviewBase(name)?.prefix ?? usualPrefix
  return `Preview database${prefix === usualPrefix ? '' : ` ${renderCode(prefix)}`}: ${state}`
}

/** Only an address of plain characters becomes a link: others could end it, or disguise where it leads. */
function renderLink(url: string): string | undefined {
  return /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w.-]+)+$/.test(url) ? `[log](${url})` : undefined
}

const renderDate = (date: number) => `${new Date(date).toISOString().slice(0, 16).replace('T', ' ')} UTC`

function renderAge(createdAt: string | undefined, now: number): string | undefined {
  const age = now - Date.parse(createdAt ?? '')
  return age >= 0 ? renderDuration(age) : undefined
}

const code = (value: string | number | undefined) =>
  value === undefined ? undefined : renderCode(String(value))

function renderTable(report: PreviewReport, runUrl: string, now: number): string {
  const rows: [string, string | undefined][] = [
    ['name', code(report.name)],
    ['service id', code(report.serviceId)],
    ['host', code(report.host)],
    ['port', code(report.port)],
    ['database', code(report.database)],
    ['user', code(report.user)],
    ['status', code(report.status)],
    ['age', renderAge(report.createdAt, now)],
    ['as of', renderDate(now)],
    ['run', renderLink(runUrl)],
  ]
  const shown = rows.flatMap(([name, value]) => (value === undefined ? [] : [`| ${name} | ${value} |`]))
  // The first row, the name, is the head: an empty one shows as a thin bar.
  return [shown[0], '|---|---|', ...shown.slice(1)].join('\n')
}

function renderAdvice({ state, problem }: PreviewReport): string | undefined {
  if (state === 'failed')
    return `${problem ? `Why: ${renderCode(problem)}. ` : ''}The log of the run says more.`
  if (state === 'ready')
    return 'A job of this repository gets the connection, password included, from a step with `operation: get-connection`.'
  return undefined
}

/**
 * The comment of a preview: a fixed template, in which every value stands in a code span of its own. It never holds a
 * password.
 *
 * @param now milliseconds since 1970
 */
export function renderComment(report: PreviewReport, runUrl: string, now: number): string {
  const heading = `### ${renderHeading(report.name, headings[report.state])}`
  const parts = [heading, renderTable(report, runUrl, now), renderAdvice(report)]
  return `${renderMarker(report.name)}\n${parts.filter(part => part !== undefined).join('\n\n')}\n`
}
