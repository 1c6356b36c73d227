import { renderSimulator } from '../../simulator/describe.ts'
import type { Observed, Row } from './run-row.ts'

/** A row of the matrix with what came of it. */
export interface Result {
  row: Row
  observed: Observed
}

const introduction = `# Reliability

What becomes of a step when the network, the server, a proxy or the runner fails it: one fault at a time in the matrix,
many at once in [the simulator](#the-simulator). The tests write this file from what they observed.

## The fault matrix

Whole steps run on real sockets against the emulator, and one fault befalls the first creating POST, or the first DELETE,
or each of them ("each time"). Each row is one outcome, with the operations and faults that lead to it.

- **Exit**: the exit code of the step; with signals, one for each.
- **Processed**: whether the API did what it was asked before the fault struck.
- **Sent**: how many creating POSTs, or DELETEs, arrived at the API.
- **Left**: what is at the API once all work has ended; and what a failed step left after \`cleanup: always\`.

create-service runs with \`name: shop-*\`, fork-service with the exact name \`shop\`, which may be another job's.
fork-service and prune-previews meet only one fault of each kind. \`max_attempts\` is 3, \`request_timeout\` 1 s where
nothing else ends a fault, \`wait_timeout\` 1m, and 6s where the API did not process the request. What create-preview
leaves, the next run of its pull request uses.
`

/** Text with nothing in it that Markdown would take for its own. */
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

/** Each different text once. */
const list = (texts: string[]) => [...new Set(texts)].join('; ')

/** The faults of several rows, the signals of one moment together: `SIGINT, SIGTERM during the wait`. */
function faultsOf(rows: Row[]): string {
  const byTitle = Map.groupBy(rows, row => ('fault' in row ? faultOf(row)[0] : row.interruption.title))
  const titles = [...byTitle].map(([title, alike]) => {
    const signals = new Set(alike.flatMap(row => ('interruption' in row ? [row.interruption.signal] : [])))
    return signals.size > 0 ? `${[...signals].join(', ')} ${title}` : title
  })
  return list(titles)
}

/** All that came of a row but its exit code. */
function outcomeOf(result: Result): string[] {
  return [faultOf(result.row)[1], `${result.observed.sent}`, leftOf(result)]
}

/** The rows of one operation, without its name. */
function rowsOf(results: Result[]): string[][] {
  // Each signal has an exit code of its own, which alone is no reason for a row of its own.
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

/** A table of the operations that do the same; those of which the same comes share a row. */
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

/** docs/internals/reliability.md: what the rows came to, and what the simulator does. */
export function renderReliability(results: Result[]): string {
  const byDeed = Map.groupBy(results, ({ row }) => row.subject.does)
  const sections = [...byDeed].map(([does, some]) => renderSection(does, some))
  return [introduction, ...sections, renderSimulator()].join('\n')
}
