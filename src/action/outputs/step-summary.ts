import { appendFileSync } from 'node:fs'
import { describeRecord } from '../../api/resource.ts'
import { renderDuration } from '../../base/duration.ts'
import { ActionError, ApiError, CancelledError } from '../../base/errors.ts'
import type { StatusChange } from '../../operations/base/outcome.ts'
import { connectable, type Outcome } from '../../operations/base/outcome.ts'
import { describeStatus, statusOf } from '../../operations/base/read-record.ts'
import { WaitError } from '../../operations/wait/wait-error.ts'
import { tryToWrite, type Unwritten } from '../host/runner-files.ts'
import { plainLineWithout } from '../secrets/plain-text.ts'
import { withoutSecretFields } from '../secrets/secret-names.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { type Cell, cellWithout, longestCell, moreThan, mostRows } from './cell.ts'
import { renderFolded } from './folded.ts'
import { type Bar, barsOf, renderGantt } from './gantt.ts'
import { renderMaskingSection } from './masking-section.ts'
import type { OutputSource } from './output-source.ts'
import { renderOutputs } from './output-table.ts'
import { renderDecisions, renderTally } from './prune-section.ts'
import { renderQuarantineSection } from './quarantine-section.ts'
import { renderMigrationsSum, renderRehearsalSection } from './rehearsal-section.ts'
import { resultRows } from './result-rows.ts'
import { renderSchemaSection } from './schema-section.ts'

function renderTable(rows: [string, string][], cell: Cell): string {
  return [
    '| output | value |',
    '|---|---|',
    ...rows.map(([name, value]) => `| ${name} | ${cell(value)} |`),
  ].join('\n')
}

/** A wait may see hundreds of statuses. */
const longestStatus = 200

/** What took how long, as in the chart. */
function renderBars(bars: Bar[], cell: Cell): string {
  const rows = bars.map(
    ({ name, from, until }) =>
      `| ${cell(name, longestStatus)} | ${renderDuration(from)} | ${renderDuration(until - from)} |`,
  )
  return ['| what | after | for |', '|---|---|---|', ...rows].join('\n')
}

/** The statuses that a failed wait saw. */
function renderHistory(history: StatusChange[], cell: Cell): string {
  const rows = history.map(({ status, at }, index) => {
    const until = history[index + 1]?.at
    const lasted = until === undefined ? '' : renderDuration(until - at)
    return `| ${cell(status, longestStatus)} | ${renderDuration(at)} | ${lasted} |`
  })
  return ['| status | seen after | for |', '|---|---|---|', ...rows].join('\n')
}

/** The rows of a list or log. */
function renderRows(outcome: Outcome, cell: Cell): string[] {
  const table = resultRows(outcome)
  if (table === undefined || table.rows.length === 0) return []
  const lines = table.rows.slice(0, mostRows).map(row => row.map(text => cell(text, longestCell)))
  const names = table.columns.map(name => cell(name, longestCell))
  const all = [names, names.map(() => '---'), ...lines]
  return [
    all.map(cells => `| ${cells.join(' | ')} |`).join('\n'),
    ...moreThan(outcome.count ?? table.rows.length, table.noun),
  ]
}

/** The outputs that a summary shows, the most important first. */
const shown = [
  'count',
  'name',
  'status',
  'host',
  'port',
  'replica_set_id',
  'peering_id',
  'service_id',
  'vpc_id',
  'deleted',
  'created',
  'pull_request',
  'project_id',
  'region_code',
  'environment',
  'pooler_host',
  'pooler_port',
  'database',
  'user',
  'wait_seconds',
]

/** How many outputs are always visible; the others are folded away. */
const mostOutputs = 5

/** The last line of the log: what there is now, and where. */
export function renderDone(outcome: Outcome): string {
  const tally = outcome.decisions && (renderTally(outcome.decisions) || 'there are no previews')
  if (outcome.skipped && !outcome.deleted)
    return `${outcome.operation}: skipped; ${outcome.skipped}${tally ? `: ${tally}` : ''}`
  if (tally ?? outcome.done) return `${outcome.operation}: done; ${tally ?? outcome.done}`
  const address = connectable(outcome)?.endpoint
  const where = address ? ` at ${address.host}:${address.port}` : ''
  if (Array.isArray(outcome.result))
    return `${outcome.operation}: done; ${outcome.result.length} in the list (output result)`
  if (outcome.resource === undefined || outcome.record === undefined) return `${outcome.operation}: done`
  return `${outcome.operation}: done; ${describeRecord(outcome.resource, outcome.ids)} ${describeStatus(statusOf(outcome.record))}${where}`
}

function ganttTitle({ operation, resource, ids }: Outcome): string {
  return resource ? describeRecord(resource, ids) : operation
}

/** The most important outputs, and below them the others. */
function renderValues(source: OutputSource, cell: Cell): { first: string; others: string } {
  const rows = renderOutputs(source)
    .filter(({ name, value, secret }) => shown.includes(name) && !secret && value !== 'false')
    .sort((one, other) => shown.indexOf(one.name) - shown.indexOf(other.name))
    .map(({ name, value }): [string, string] => [name, value])
  const others = rows.slice(mostOutputs)
  return {
    first: rows.length > 0 ? renderTable(rows.slice(0, mostOutputs), cell) : '',
    others: others.length > 0 ? renderTable(others, cell) : '',
  }
}

/** What the step did and waited for: as a chart, and in words. */
function renderCourse(outcome: Outcome, secrets: Secrets): { chart: string; course: string } {
  const { course } = outcome
  if (!course?.waited) return { chart: '', course: '' }
  const bars = barsOf(course)
  const plain = bars.map(bar => ({ ...bar, name: secrets.redact(bar.name) }))
  return {
    chart: renderGantt(secrets.redact(ganttTitle(outcome)), plain, course.milliseconds),
    course: renderBars(bars, cellWithout(secrets)),
  }
}

/** The summary of a successful step. */
export function renderSuccess(source: OutputSource, secrets: Secrets): string {
  const cell = cellWithout(secrets)
  const { outcome } = source
  const { first, others } = renderValues(source, cell)
  const { chart, course } = renderCourse(outcome, secrets)
  const decisions = outcome.decisions ?? []
  const tally = renderTally(decisions)
  const results = outcome.decisions
    ? [tally && `${tally}.`, renderDecisions(decisions, cell)]
    : [...renderRows(outcome, cell), first]
  const folded = outcome.decisions ? [course] : [others, course]
  const skipped = outcome.skipped && !outcome.deleted ? `Nothing was done: ${cell(outcome.skipped)}.` : ''
  const message = outcome.message ? `The API says: ${cell(outcome.message)}` : ''
  const data = outcome.data ? `Data: ${cell(outcome.data)}` : ''
  const reset = outcome.resetReason ? `Made anew: ${cell(outcome.resetReason)}` : ''
  const more = folded.some(part => part !== '') ? renderFolded('More', ...folded) : ''
  const done = outcome.done ? `${cell(outcome.done)}.` : ''
  const quarantine = renderQuarantineSection(outcome.quarantine, cell)
  const masking = renderMaskingSection(outcome.masking, cell)
  const rehearsal = renderRehearsalSection(outcome.rehearsal, cell)
  const schema = renderSchemaSection(outcome.diff, line => plainLineWithout(secrets, line))
  const parts = [
    skipped,
    done,
    reset,
    data,
    ...rehearsal,
    ...renderMigrationsSum(outcome.history, cell),
    ...schema,
    ...masking,
    ...quarantine,
    message,
    chart,
    ...results,
    more,
  ]
  return [`### ${cell(outcome.operation)}`, ...parts].filter(part => part !== '').join('\n\n')
}

function renderLogLines(lines: string[], cell: Cell): string {
  if (lines.length === 0) return ''
  const escaped = lines.map(line => cell(line)).join('\n')
  return renderFolded("The last lines of the service's log", `<pre>${escaped}</pre>`)
}

/** What a server says about an error besides its message, as JSON, without fields named like secrets. */
export function renderDetails(error: unknown, secrets: Secrets): string | undefined {
  if (!(error instanceof ApiError) || error.details === undefined) return undefined
  return JSON.stringify(secrets.redactAll(withoutSecretFields(error.details)))
}

/** The summary of a failed step: what failed, what to do next, and how far it came. */
export function renderFailure(operation: string, error: unknown, secrets: Secrets): string {
  const cell = cellWithout(secrets)
  const message = error instanceof Error ? error.message : String(error)
  const next = error instanceof ActionError ? `**Next:** ${cell(error.next)}` : ''
  const told = renderDetails(error, secrets)
  const details = told === undefined ? '' : `Details: ${cell(told)}`
  const history =
    error instanceof WaitError && error.history.length > 0 ? renderHistory(error.history, cell) : ''
  const log = error instanceof WaitError ? renderLogLines(error.logLines, cell) : ''
  const verb = error instanceof CancelledError ? 'was cancelled' : 'failed'
  return [`### ${cell(operation)} ${verb}`, cell(message), next, details, history, log]
    .filter(part => part !== '')
    .join('\n\n')
}

/** Appends to the step's summary, if the runner has summaries. Returns what could not be written. */
export function writeSummary(markdown: string, environment: NodeJS.ProcessEnv): Unwritten[] {
  const file = environment.GITHUB_STEP_SUMMARY
  if (!file) return []
  return tryToWrite('GITHUB_STEP_SUMMARY', environment, () => appendFileSync(file, `${markdown}\n\n`))
}
