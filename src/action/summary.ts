import { appendFileSync } from 'node:fs'
import { resources } from '../api/resource.ts'
import { renderDuration } from '../client/duration.ts'
import { ActionError, ApiError, CancelledError } from '../client/errors.ts'
import type { StatusChange } from '../operations/outcome.ts'
import { connectable, type Outcome, type PruneDecision } from '../operations/outcome.ts'
import { statusOf } from '../operations/read-record.ts'
import { WaitError } from '../operations/settled.ts'
import { renderGantt } from './gantt.ts'
import { type OutputSource, renderOutputs } from './output-table.ts'
import { plainLine, plainLineWithout } from './plain-text.ts'
import { tryToWrite, type Unwritten } from './runner-files.ts'
import { withoutSecretFields } from './secret-names.ts'
import type { Secrets } from './secrets.ts'

/** Text for a Markdown table cell: nothing in it is markup, a mention, or the end of the cell. */
export function escapeCell(text: string): string {
  return plainLine(text)
    .replace(/[&<>"'`|*_~[\]()#!\\@:]/g, char => `&#${char.charCodeAt(0)};`)
    .trim()
}

/** Makes a text a cell of at most `longest` characters. Secrets are taken out first: the cut could leave half of one. */
type Cell = (text: string, longest?: number) => string

/** Secrets are taken out before the escapes hide them. */
const cellWithout =
  (secrets: Secrets): Cell =>
  (text, longest) =>
    escapeCell(plainLineWithout(secrets, text).slice(0, longest))

function renderTable(rows: [string, string][], cell: Cell): string {
  return [
    '| output | value |',
    '|---|---|',
    ...rows.map(([name, value]) => `| ${name} | ${cell(value)} |`),
  ].join('\n')
}

/** A wait may see hundreds of statuses; the runner refuses a summary of more than 1 MiB as a whole. */
const longestStatus = 200

function renderHistory(history: StatusChange[], end: number | undefined, cell: Cell): string {
  const rows = history.map(({ status, at }, index) => {
    const until = history[index + 1]?.at ?? end
    const lasted = until === undefined ? '' : renderDuration(until - at)
    return `| ${cell(status, longestStatus)} | ${renderDuration(at)} | ${lasted} |`
  })
  return ['| status | seen after | for |', '|---|---|---|', ...rows].join('\n')
}

function renderDecisions(decisions: PruneDecision[], cell: Cell): string {
  const rows = decisions.map(({ name, service_id, pull_request, verdict, reason }) =>
    [name, service_id, String(pull_request ?? 'merge queue'), verdict, reason]
      .map(text => cell(text))
      .join(' | '),
  )
  if (rows.length === 0) return 'There are no previews of this repository.'
  return [
    '| preview | service | pull request | outcome | why |',
    '|---|---|---|---|---|',
    ...rows.map(row => `| ${row} |`),
  ].join('\n')
}

/** `2 deleted, 5 kept.`: verdicts that did not occur are left out. */
function renderTally(decisions: PruneDecision[]): string {
  const verdicts = ['deleted', 'kept', 'skipped', 'failed'] as const
  const counts = verdicts.map(
    one => [one, decisions.filter(({ verdict }) => verdict === one).length] as const,
  )
  const tally = counts.flatMap(([verdict, count]) => (count > 0 ? [`${count} ${verdict}`] : []))
  return tally.length > 0 ? `${tally.join(', ')}.` : ''
}

const shown = [
  'project_id',
  'service_id',
  'replica_set_id',
  'vpc_id',
  'peering_id',
  'name',
  'status',
  'created',
  'deleted',
  'region_code',
  'environment',
  'host',
  'port',
  'pooler_host',
  'pooler_port',
  'database',
  'user',
  'pull_request',
  'count',
  'wait_seconds',
]

/** The last line of the log: what there is now, and where. */
export function renderDone(outcome: Outcome): string {
  if (outcome.skipped && !outcome.deleted) return `${outcome.operation}: skipped; ${outcome.skipped}`
  const address = connectable(outcome)?.endpoint
  const where = address ? ` at ${address.host}:${address.port}` : ''
  if (Array.isArray(outcome.result))
    return `${outcome.operation}: done; ${outcome.result.length} in the list (output result)`
  if (outcome.resource === undefined || outcome.record === undefined) return `${outcome.operation}: done`
  const { label, id } = resources[outcome.resource]
  return `${outcome.operation}: done; ${label} ${outcome.ids[id]} is ${statusOf(outcome.record)}${where}`
}

function ganttTitle({ resource, ids }: Outcome): string {
  return resource ? `${resources[resource].label} ${ids[resources[resource].id]}` : ''
}

/** The summary of a step that did what it was asked for. */
export function renderSuccess(source: OutputSource, secrets: Secrets): string {
  const cell = cellWithout(secrets)
  const { outcome } = source
  const values = renderOutputs(source).filter(
    ({ name, value, secret }) => shown.includes(name) && !secret && value !== 'false',
  )
  const table = renderTable(
    values.map(({ name, value }) => [name, value]),
    cell,
  )
  const history =
    outcome.wait && outcome.wait.history.length > 0
      ? renderHistory(outcome.wait.history, outcome.wait.milliseconds, cell)
      : ''
  const gantt =
    history && outcome.wait
      ? renderGantt(
          secrets.redact(ganttTitle(outcome)),
          outcome.wait.history.map(({ status, at }) => ({ status: secrets.redact(status), at })),
          outcome.wait.milliseconds,
        )
      : ''
  const decisions = outcome.decisions ?? []
  const pruned = outcome.decisions ? [renderTally(decisions), renderDecisions(decisions, cell)] : [table]
  const skipped = outcome.skipped && !outcome.deleted ? `Nothing was done: ${cell(outcome.skipped)}.` : ''
  return [`### ${cell(outcome.operation)}`, skipped, ...pruned, gantt, history]
    .filter(part => part !== '')
    .join('\n\n')
}

/** Folded away: it is long, and rarely the first thing to read. */
function renderLogLines(lines: string[], cell: Cell): string {
  if (lines.length === 0) return ''
  const escaped = lines.map(line => cell(line)).join('\n')
  return `<details><summary>The last lines of the service's log</summary>\n\n<pre>${escaped}</pre>\n\n</details>`
}

/** What a server says of an error beside its message, as JSON, without fields whose names speak of secrets. */
export function renderDetails(error: unknown, secrets: Secrets): string | undefined {
  if (!(error instanceof ApiError) || error.details === undefined) return undefined
  return JSON.stringify(secrets.redactAll(withoutSecretFields(error.details)))
}

/** The summary of a step that failed: what, what to do next, and how far it came. */
export function renderFailure(operation: string, error: unknown, secrets: Secrets): string {
  const cell = cellWithout(secrets)
  const message = error instanceof Error ? error.message : String(error)
  const next = error instanceof ActionError ? `**Next:** ${cell(error.next)}` : ''
  const told = renderDetails(error, secrets)
  const details = told === undefined ? '' : `Details: ${cell(told)}`
  const history =
    error instanceof WaitError && error.history.length > 0
      ? renderHistory(error.history, undefined, cell)
      : ''
  const log = error instanceof WaitError ? renderLogLines(error.logLines, cell) : ''
  const verb = error instanceof CancelledError ? 'was cancelled' : 'failed'
  return [`### ${cell(operation)} ${verb}`, cell(message), next, details, history, log]
    .filter(part => part !== '')
    .join('\n\n')
}

/** Appends to the step's summary, where the runner has summaries. Gives what could not be written. */
export function writeSummary(markdown: string): Unwritten[] {
  const file = process.env.GITHUB_STEP_SUMMARY
  return file ? tryToWrite('GITHUB_STEP_SUMMARY', () => appendFileSync(file, `${markdown}\n\n`)) : []
}
