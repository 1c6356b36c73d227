/** Renders the summary of a step, and the last line of its log. */
import { appendFileSync } from 'node:fs'
import { describeRecord } from '#api/resource'
import { renderDuration } from '#base/duration'
import { ActionError, ApiError, CancelledError, ListError } from '#base/errors'
import { type MarkdownStyle, renderMarkdown } from '#base/render-markdown'
import { type Block, code, details, heading, isEmpty, line, list, table } from '#base/report'
import { withoutSecretFields } from '#base/secret-names'
import { databaseOf, type Outcome, type StatusChange, type Timeline } from '#operations/base/outcome'
import { describeStatus, statusOf } from '#operations/base/read-record'
import { WaitError } from '#operations/wait/wait-error'
import { tryToWrite, type Unwritten } from '../host/runner-files.ts'
import { plainLine, plainLineWithout } from '../secrets/plain-text.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { OutputSource } from './output-source.ts'
import { renderOutputs } from './output-table.ts'
import { timelineRows } from './timeline.ts'

/** Any text as Markdown, without markup, mentions, links, or the end of a table cell. */
export function escapeWords(text: string): string {
  // An underscore inside a word, and a colon after one, have no meaning.
  return plainLine(text)
    .trim()
    .replace(
      /[&<>"'`|*~[\]()#!\\@]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|:(?! |$)/g,
      char => `&#${char.charCodeAt(0)};`,
    )
}

/** Characters. The runner rejects a summary of more than 1 MiB, and a character may have 4 bytes. */
const room = 250_000

/** Secrets are removed first: escapes would hide them from the search, and a cut could leave half of one. */
function summaryStyle(secrets: Secrets): MarkdownStyle {
  const words = (text: string, longest?: number) =>
    escapeWords(plainLineWithout(secrets, text).slice(0, longest))
  return {
    escapeText: words,
    escapeCode: text => `<code>${words(text)}</code>`,
    escapeCodeLine: text => plainLineWithout(secrets, text),
    mostItems: 50,
    room,
    whereOmitted: '',
  }
}

const timelineTable = (timeline: Timeline): Block =>
  table(
    ['span', 'after', 'for'],
    timelineRows(timeline).map(({ name, from, until }) => [
      name,
      renderDuration(from),
      renderDuration(until - from),
    ]),
  )

const historyTable = (history: StatusChange[]): Block =>
  table(
    ['status', 'seen after', 'for'],
    history.map(({ status, at }, index) => {
      const until = history[index + 1]?.at
      return [status, renderDuration(at), until === undefined ? '' : renderDuration(until - at)]
    }),
  )

/** The outputs in a summary, the most important first. */
const summaryOutputs = [
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

/** Upper limit for visible outputs; the others are collapsed. */
const mostOutputs = 5

/** The result in one line; undefined if nothing is known but success. */
function describeResult(outcome: Outcome): string | undefined {
  const { done, deleted, deletedIds = [], resource, record, result, ids } = outcome
  if (done) return done
  if (Array.isArray(result)) return `${result.length} in the list`
  if (resource === undefined) return undefined
  // A reset deletes services, and `record` is the new one.
  const isReplaced = deletedIds.length > 0 && record !== undefined
  if (deleted && !isReplaced)
    return `deleted ${deletedIds.length > 0 ? `service ${deletedIds.join(', ')}` : describeRecord(resource, ids)}`
  if (record === undefined) return undefined
  const address = databaseOf(outcome)?.endpoint
  const where = address ? ` at ${address.host}:${address.port}` : ''
  const replaced = isReplaced ? `, and replaces ${deletedIds.join(', ')}` : ''
  return `${describeRecord(resource, ids)} ${describeStatus(statusOf(record))}${where}${replaced}`
}

/** The last line of the log: the result, and the place of a list. */
export function renderDone(outcome: Outcome): string {
  const { operation, skipped, deleted, done, result, problem } = outcome
  if (skipped && !deleted) return `${operation}: skipped; ${skipped}${done ? `: ${done}` : ''}`
  const text = describeResult(outcome)
  const start = `${operation}: ${problem === undefined ? 'done' : 'failed'}`
  if (text === undefined) return start
  return `${start}; ${text}${!done && Array.isArray(result) ? ' (output result)' : ''}`
}

function outputTables(source: OutputSource): { first: Block; others: Block } {
  const rows = renderOutputs(source)
    .filter(({ name, value, secret }) => summaryOutputs.includes(name) && !secret && value !== 'false')
    .sort((one, other) => summaryOutputs.indexOf(one.name) - summaryOutputs.indexOf(other.name))
    .map(({ name, value }) => [name, value])
  const render = (some: string[][]) => table(['output', 'value'], some)
  return { first: render(rows.slice(0, mostOutputs)), others: render(rows.slice(mostOutputs)) }
}

/** The summary of a successful step. */
export function renderSuccess(source: OutputSource, secrets: Secrets): string {
  const { outcome } = source
  const { operation, icon, skipped, deleted, resetReason, data } = outcome
  const { report = [], rows, message, timeline } = outcome
  const result = describeResult(outcome)
  const { first, others } = outputTables(source)
  const isReported = report.some(block => block.kind === 'table' && !isEmpty(block))
  const spans = timeline?.waited ? [timelineTable(timeline)] : []
  const lines = [
    skipped && !deleted && `Nothing was done: ${skipped}.`,
    result && `${result}.`,
    resetReason && `Reset: ${resetReason}`,
    data && `Data: ${data}`,
  ].flatMap(text => (text ? [line(text)] : []))
  const blocks = [
    heading(icon ? `${icon} ${operation}` : operation),
    ...lines,
    ...report,
    ...(message ? [line(`The API reports: ${message}`)] : []),
    ...(rows ? [rows] : []),
    ...(isReported ? [] : [first]),
    details('More', ...(isReported ? [first] : []), others, ...spans),
  ]
  return renderMarkdown(blocks, summaryStyle(secrets))
}

/** The details of a server's error as JSON, without fields named like secrets. */
export function renderDetails(error: unknown, secrets: Secrets): string | undefined {
  if (!(error instanceof ApiError) || error.details === undefined) return undefined
  return JSON.stringify(secrets.redactAll(withoutSecretFields(error.details)))
}

function describeError(error: unknown): Block[] {
  if (error instanceof ListError && error.failures.length > 1) return [line(error.head), list(error.failures)]
  return [line(error instanceof Error ? error.message : String(error))]
}

/** The summary of a failed step: the failure, the instruction, and the history. */
export function renderFailure(operation: string, error: unknown, secrets: Secrets): string {
  const extra = renderDetails(error, secrets)
  const waited = error instanceof WaitError ? error : { history: [], logLines: [] }
  const blocks = [
    heading(`${operation} ${error instanceof CancelledError ? 'was cancelled' : 'failed'}`),
    ...describeError(error),
    ...(error instanceof ActionError ? [line({ strong: 'Next:' }, ` ${error.next}`)] : []),
    ...(extra === undefined ? [] : [line(`Details: ${extra}`)]),
    historyTable(waited.history),
    details('Last lines of the log of the service', code('', waited.logLines.join('\n'))),
  ]
  return renderMarkdown(blocks, summaryStyle(secrets))
}

/** Appends to the step's summary, if the runner has summaries. Returns the files that could not be written. */
export function writeSummary(markdown: string, environment: NodeJS.ProcessEnv): Unwritten[] {
  const file = environment.GITHUB_STEP_SUMMARY
  if (!file) return []
  return tryToWrite('GITHUB_STEP_SUMMARY', environment, () => appendFileSync(file, `${markdown}\n\n`))
}
