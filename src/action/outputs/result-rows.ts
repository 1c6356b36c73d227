import type { EndpointName } from '#api/endpoints'
import { isRecord } from '#base/unknown-values'
import type { Outcome } from '#operations/base/outcome'
import { speaksOfSecret } from '../secrets/secret-names.ts'

/** A result as a table. The texts are from servers, and not cleaned yet. */
export interface ResultRows {
  columns: string[]
  rows: string[][]
  /** The word for the rows, in the plural. */
  noun: string
  /** Columns that are not shown, and not in the output either. */
  withheld?: string[]
}

type Fields = Record<string, unknown>

/** The fields of a record that are shown, by the operation that lists it; `a.b` is the field b of the field a. */
const shown = {
  'list-services': ['service_id', 'name', 'status', 'region_code', 'metadata.environment', 'created'],
  'list-replicas': ['id', 'name', 'status', 'nodes', 'cpu_millis', 'memory_gbs'],
  'list-vpcs': ['id', 'name', 'cidr', 'region_code'],
  'list-peerings': ['id', 'status', 'peer_account_id', 'peer_region_code', 'peer_vpc_id'],
  'list-projects': ['id', 'name'],
} satisfies Partial<Record<EndpointName, string[]>>

const columnsOf = new Map<string, string[]>(Object.entries(shown))

function cellOf(record: unknown, column: string): string {
  const value = column
    .split('.')
    .reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), record)
  return value === undefined || value === null ? '' : String(value)
}

const lastWord = (column: string) => column.split('.').at(-1) ?? column

/** The lines of a service's log, with their times if the server gives those. */
function logRows(result: unknown): ResultRows {
  const { entries, logs = [] } = result as { entries?: Fields[]; logs?: string[] }
  const columns = ['timestamp', 'severity', 'message']
  if (entries)
    return { columns, rows: entries.map(entry => columns.map(name => cellOf(entry, name))), noun: 'lines' }
  return { columns: ['line'], rows: logs.map(line => [line]), noun: 'lines' }
}

/** The most columns of a table of SQL: the runner refuses a summary of more than 1 MiB. */
const mostColumns = 10

const asText = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value

/** What a statement gave, without columns whose names are those of secrets. */
function rowsOfTable(all: string[], rows: Fields[]): ResultRows {
  const names = [...new Set(all)]
  const withheld = names.filter(speaksOfSecret)
  const columns = names.filter(name => !withheld.includes(name)).slice(0, mostColumns)
  const cells = rows.map(row => columns.map(name => String(asText(row[name]) ?? '')))
  return { columns, rows: cells, noun: 'rows', withheld }
}

/** The rows of a list, log or table; undefined for all other results. */
export function resultRows({ operation, result, columns: ofTable }: Outcome): ResultRows | undefined {
  if (ofTable) return rowsOfTable(ofTable, result as Fields[])
  if (operation === 'get-service-logs' && result !== undefined) return logRows(result)
  const columns = columnsOf.get(operation)
  if (operation === 'list-metric-series' && Array.isArray(result))
    return { columns: ['name'], rows: result.map(name => [String(name)]), noun: 'series' }
  if (columns === undefined || !Array.isArray(result)) return undefined
  const rows = result.map(record => columns.map(column => cellOf(record, column)))
  return { columns: columns.map(lastWord), rows, noun: operation.replace('list-', '') }
}

/** How many rows the log shows, and the widest column that is still padded. */
const mostLines = 20
const widest = 40

/** The first rows in columns, for the log. The output `result` has all of them. */
export function renderRowLines(outcome: Outcome): string[] {
  const table = resultRows(outcome)
  if (table === undefined || table.rows.length === 0) return []
  const shown = [table.columns, ...table.rows.slice(0, mostLines)]
  const width = (column: number) => Math.min(widest, Math.max(...shown.map(row => row[column]?.length ?? 0)))
  const widths = table.columns.map((_, column) => width(column))
  const lines = shown.map(row =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const { noun, withheld = [] } = table
  const more = (outcome.count ?? table.rows.length) - mostLines
  const isAll = outcome.count === undefined || outcome.count === table.rows.length
  return [
    ...lines,
    ...(more > 0 ? [`… and ${more} more ${noun}${isAll ? ': the output result has all' : ''}`] : []),
    ...(withheld.length > 0
      ? [`left out of the result, since their names speak of secrets: ${withheld.join(', ')}`]
      : []),
  ]
}
