import type { PreviewReport } from '../../preview/base/github.ts'
import { parsePreviewBase, usualPrefix } from '../../preview/base/name.ts'
import { renderMoment, renderOrigin } from '../../preview/base/origin.ts'
import { renderCode } from './plain-code.ts'

/** The prefix tells several previews of one pull request apart; the default one is not shown. */
function renderHeading(name: string, state: string): string {
  const prefix = parsePreviewBase(name)?.prefix ?? usualPrefix
  return `Preview database${prefix === usualPrefix ? '' : ` ${renderCode(prefix)}`}: ${state}`
}

const words: Record<PreviewReport['state'], string> = {
  creating: 'being created',
  ready: 'ready',
  paused: 'paused',
  failed: 'failed',
  deleted: 'deleted',
}

/** The state at a glance. */
const icons: Record<PreviewReport['state'], string> = {
  creating: '🟡',
  ready: '🟢',
  paused: '🔵',
  failed: '🔴',
  deleted: '⚪',
}

/**
 * Only an address of plain characters becomes a link: others could break the Markdown, or hide where the link leads.
 */
function renderLink(name: string, url = ''): string | undefined {
  return /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w.-]+)+$/.test(url) ? `[${name}](${url})` : undefined
}

/** GitHub turns the first digits of a commit's id into a link by themselves; the whole id is wider than a phone. */
const renderCommit = (commit: string | undefined) =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit ?? '') ? `commit ${commit?.slice(0, 7)}` : undefined

const code = (value: string | number | undefined) =>
  value === undefined ? undefined : renderCode(String(value))

/** Only numbers and the units of src/preview/base/size.ts. */
const renderSize = (size = '') => (/^[\d.]+ (?:CPU|GB)(?:, [\d.]+ GB)?$/.test(size) ? size : undefined)

/** What the data are, and of when. */
function renderData(report: PreviewReport): string | undefined {
  const { data, createdAt } = report
  if (data === undefined) return undefined
  const created = renderMoment(createdAt)
  const origin = renderOrigin({ ...report, data }, renderCode)
  return origin === 'empty' && created ? `empty, created ${created}` : origin
}

/** All that a glance should tell, in one line. What is not ready says since when. */
function renderState(report: PreviewReport, runUrl: string, now: number): string {
  const expires = renderMoment(report.expiresAt)
  return [
    `${icons[report.state]} **${renderHeading(report.name, words[report.state])}**`,
    report.state === 'ready' ? undefined : renderMoment(now),
    renderData(report),
    renderCommit(report.commit),
    renderSize(report.size),
    expires && `expires ${expires}`,
    renderLink('log', runUrl),
    report.state === 'deleted' ? undefined : renderLink('console', report.consoleUrl),
  ]
    .filter(part => part !== undefined)
    .join(' · ')
}

/**
 * A line to copy into a shell; left out if any part has characters with a meaning to a shell or to Markdown. The command of
 * the action derives the password; psql asks for it.
 */
function renderCommand({ url = '', serviceId = '' }: PreviewReport, source = ''): string | undefined {
  if (!/^postgresql:\/\/[\w.~%:@/[\]?=+,-]+$/.test(url)) return undefined
  const isKnown = /^github:[\w./#-]+$/.test(source) && /^[\w-]+$/.test(serviceId)
  const command = isKnown ? `npx ${source} connect ${serviceId}` : 'psql'
  return `\`\`\`sh\n${command} '${url}'\n\`\`\``
}

/** For a failure: what to read first. */
const renderFailure = ({ problem, next }: PreviewReport): (string | undefined)[] => [
  problem && `**Why:** ${renderCode(problem)}`,
  next && `**What to do:** ${renderCode(next)}`,
]

const advice =
  'A job of this repository gets the connection, password included, from a step with `operation: get-connection`.'

const pausedAdvice =
  'Nobody used it. The next push, or a step with `operation: get-connection`, starts it again, with the same data and password.'

/** Numbers and our own words, which have no meaning in Markdown. */
const renderTally = (text: string) => (/^[a-z\d :;,]+$/.test(text) ? text : renderCode(text))

/** How many lines of the quarantine are shown. */
const mostLines = 20

/** What was made harmless, for whoever looks why something no longer works. */
function renderQuarantine({ quarantineDetails = [] }: PreviewReport): string[] {
  const shown = quarantineDetails.slice(0, mostLines).map(line => `- ${renderCode(line)}`)
  const more = quarantineDetails.length - shown.length
  if (more > 0) shown.push(`- and ${more} more, in the log of the step`)
  return shown.length === 0 ? [] : [shown.join('\n')]
}

/** What few need, folded. The command to copy already shows the address. */
function renderDetails(report: PreviewReport, command: string | undefined, now: number): string {
  const address: [string, string | undefined][] = [
    ['host', code(report.host)],
    ['port', code(report.port)],
    ['database', code(report.database)],
    ['user', code(report.user)],
  ]
  const rows: [string, string | undefined][] = [
    ['service id', code(report.serviceId)],
    ['status', code(report.status)],
    ...(command === undefined ? address : []),
    ['updated', renderMoment(now)],
  ]
  const shown = rows.flatMap(([name, value]) => (value === undefined ? [] : [`| ${name} | ${value} |`]))
  return [
    '<details><summary>Details</summary>',
    [`| name | ${renderCode(report.name)} |`, '|---|---|', ...shown].join('\n'),
    ...(report.state === 'ready' ? [...renderQuarantine(report), advice] : []),
    '</details>',
  ].join('\n\n')
}

/**
 * The section of a preview's comment on its database: a fixed template. Each value is in a code span of its own, or consists of characters
 * without a meaning in Markdown. It never holds a password.
 *
 * @param now milliseconds since 1970
 * @param source where npm finds the action
 */
export function renderDatabaseSection(
  report: PreviewReport,
  runUrl: string,
  now: number,
  source?: string | undefined,
): string {
  const { state } = report
  const command = state === 'ready' ? renderCommand(report, source) : undefined
  const parts = [
    renderState(report, runUrl, now),
    ...(state === 'failed' ? renderFailure(report) : []),
    state === 'ready' && report.resetReason && `**Made anew:** ${renderCode(report.resetReason)}`,
    command,
    state === 'ready' && report.quarantine && `Quarantined: ${renderTally(report.quarantine)}`,
    ...(state === 'paused' ? [pausedAdvice] : []),
    renderDetails(report, command, now),
  ]
  return parts.filter(Boolean).join('\n\n')
}
