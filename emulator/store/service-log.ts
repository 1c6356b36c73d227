/** The log of a service. */
import type { LogLine, ServiceState } from './state.ts'

/** Upper limit for the lines of each service. */
const maxLines = 2000

/** Adds a line to a service's log. */
export function writeLog(service: ServiceState, at: number, message: string, severity = 'LOG'): void {
  service.log.push({ at, severity, message })
  if (service.log.length > maxLines) service.log.shift()
}

/** The time of the last returned line, and the number of returned lines with that time. */
export const cursorPattern = /^(\d{1,15})-(\d{1,9})$/

/** Upper limit for the lines in one answer (docs/internals/api.md, "Records"). */
const pageSize = 500

interface LogQuery {
  cursor?: string | undefined
  since?: string | undefined
  until?: string | undefined
  search?: string[] | undefined
  severities?: string[] | undefined
}

interface LogPage {
  lines: LogLine[]
  /** The start of the next page; undefined on the last page. */
  cursor: string | undefined
}

function matches(line: LogLine, { search = [], severities = [] }: LogQuery): boolean {
  const message = line.message.toLowerCase()
  const severity = line.severity.toLowerCase()
  return (
    search.every(word => message.includes(word.toLowerCase())) &&
    (severities.length === 0 || severities.some(wanted => wanted.toLowerCase() === severity))
  )
}

/**
 * The time of the last returned line, and the number of returned lines with that time, so that new lines do
 * not shift a page.
 */
function renderCursor(page: LogLine[], start: { at: number; given: number }): string {
  const at = page.at(-1)?.at ?? start.at
  const before = at === start.at ? start.given : 0
  return `${at}-${before + page.filter(line => line.at === at).length}`
}

function parseCursor(cursor: string): { at: number; given: number } | undefined {
  const [, at, given] = cursorPattern.exec(cursor) ?? []
  return at === undefined ? undefined : { at: Number(at), given: Number(given) }
}

/**
 * The lines that match a query, newest first; lines with the same time keep their order. Undefined if a time
 * or the cursor is malformed.
 */
export function readLogPage(lines: LogLine[], query: LogQuery): LogPage | undefined {
  const since = query.since === undefined ? -Infinity : Date.parse(query.since)
  const until = query.until === undefined ? Infinity : Date.parse(query.until)
  const start = query.cursor === undefined ? { at: Infinity, given: 0 } : parseCursor(query.cursor)
  if (Number.isNaN(since) || Number.isNaN(until) || start === undefined) return undefined
  const wanted = lines
    .filter(line => line.at >= since && line.at <= until && matches(line, query))
    .sort((one, other) => other.at - one.at)
  const rest = wanted.filter(line => line.at <= start.at)
  const page = rest.slice(start.given, start.given + pageSize)
  const hasMore = rest.length > start.given + pageSize
  return { lines: page, cursor: hasMore ? renderCursor(page, start) : undefined }
}
