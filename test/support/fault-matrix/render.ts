/** Renders the results of the fault matrix for docs/internals/reliability.md. */
import { renderSimulator } from '../../simulator/describe.ts'
import type { Observed, Row } from './run-row.ts'

/** A row of the matrix with its result. */
export interface Result {
  row: Row
  observed: Observed
}

const introduction = `# Reliability

The matrix tests one fault at a time, [the simulator](#the-simulator) many. The tests write this file.

## The fault matrix

Whole steps run on real sockets against the emulator. One fault hits the first creating POST or the first DELETE, or each of
them ("each time").

- **Faults**: "each signal" is SIGINT, SIGTERM and SIGKILL, with one exit code for each.
- **Processed**: the API processed the request before the fault.
- **Sent**: creating POSTs, or DELETEs, that arrived at the API.
- **Left**: records that remain at the end, and those that remain after \`cleanup: always\`.

create-service has \`name: shop-*\`; fork-service has the exact name \`shop\`, which another job may use. \`max_attempts\` is 3,
\`request_timeout\` 1 s if nothing else ends a fault, \`wait_timeout\` 1m, or 20s for an unprocessed POST and 9s for an
unprocessed DELETE. The next run of a pull request uses the record that create-preview left.
`

/** Escapes the Markdown in a text. */
const plain = (text: string) => text.replace(/[\\`*[\]<>|]/g, '\\$&')

function faultOf(row: Row): [title: string, processed: string] {
  if ('interruption' in row) return [`${row.interruption.signal} ${row.interruption.title}`, 'yes']
  const { title, when, times } = row.fault
  if (when === undefined) return [title, 'no']
  return [times === 'for ever' ? `${title}, each time` : title, when === 'after' ? 'yes' : 'no']
}

function count(services: unknown[]): string {
  if (services.length === 0) return 'nothing'
  return services.length === 1 ? '1 service' : `${services.length} services`
}

function leftOf({ observed: { left, doomed, post } }: Result): string {
  const of = doomed.length > 1 && left.length > 0 ? ` of ${doomed.length}` : ''
  const named = post && post.left.length > 0 ? ', which its error names' : ''
  return count(left) + of + (post ? `; after cleanup ${count(post.left)}${named}` : '')
}

function renderTable(heads: string[], rows: string[][]): string {
  const [head, ...body] = [heads, ...rows.map(cells => cells.map(plain))].map(
    cells => `| ${cells.join(' | ')} |`,
  )
  return [head, `|${'---|'.repeat(heads.length)}`, ...body].join('\n')
}

const list = (texts: string[]) => [...new Set(texts)].join('; ')

/** The faults of several rows, grouped by signals: `SIGINT, SIGTERM before the answer, during the wait`. */
function faultsOf(rows: Row[]): string {
  const byTitle = Map.groupBy(rows, row => ('fault' in row ? faultOf(row)[0] : row.interruption.title))
  const titles = [...byTitle].map(([title, alike]) => {
    const signals = new Set(alike.flatMap(row => ('interruption' in row ? [row.interruption.signal] : [])))
    return { title, signals: signals.size === 3 ? 'each signal' : [...signals].join(', ') }
  })
  const bySignals = Map.groupBy(titles, ({ signals }) => signals)
  const faults = [...bySignals].map(([signals, alike]) =>
    signals
      ? `${signals} ${alike.map(({ title }) => title).join(', ')}`
      : list(alike.map(({ title }) => title)),
  )
  return list(faults)
}

function outcomeOf(result: Result): string[] {
  return [faultOf(result.row)[1], `${result.observed.sent}`, leftOf(result)]
}

function rowsOf(results: Result[]): string[][] {
  // The exit codes of signals differ, which is no reason for separate rows.
  const byOutcome = Map.groupBy(results, result =>
    JSON.stringify([outcomeOf(result), 'fault' in result.row && result.observed.exitCode]),
  )
  return [...byOutcome.values()].map(alike => {
    const faults = faultsOf(alike.map(({ row }) => row))
    const exitCodes = list(alike.map(({ observed }) => `${observed.exitCode}`))
    return [faults, exitCodes, ...alike.slice(0, 1).flatMap(outcomeOf)]
  })
}

const headings = { create: 'Creating', delete: 'Deleting' }

/** A table of operations with the same steps; operations with equal results share a row. */
function renderSection(does: keyof typeof headings, results: Result[]): string {
  const byOperation = Map.groupBy(results, ({ row }) => row.subject.operation)
  const rows = [...byOperation].flatMap(([operation, some]) =>
    rowsOf(some).map(cells => ({ operation, cells })),
  )
  const shared = Map.groupBy(rows, ({ cells }) => JSON.stringify(cells))
  const lines = [...shared.values()].map(alike => [
    alike.map(({ operation }) => operation).join(', '),
    ...alike.slice(0, 1).flatMap(({ cells }) => cells),
  ])
  const heads = ['Operations', 'Faults', 'Exit', 'Processed', 'Sent', 'Left']
  return `### ${headings[does]}\n\n${renderTable(heads, lines)}\n`
}

/** docs/internals/reliability.md: the results of the rows, and the simulator. */
export function renderReliability(results: Result[]): string {
  const byDeed = Map.groupBy(results, ({ row }) => row.subject.does)
  const sections = [...byDeed].map(([does, some]) => renderSection(does, some))
  return [introduction, ...sections, renderSimulator()].join('\n')
}
