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

Whole steps run on real sockets against the emulator, which lets one fault befall the operation's own request: the
creating POST, or the DELETE. Each row is one outcome, with the faults that lead to it.

- **Exit**: the exit code of the step; with signals, one for each.
- **Processed**: whether the API did what it was asked before the fault struck.
- **Sent**: how many creating POSTs, or DELETEs, arrived at the API.
- **Left**: what is at the API once all work has ended; and where a failed step left what it created, what the end of
  the job leaves of it, with \`cleanup: always\`.
- **Outputs**: those set by then that tell what was created or deleted.

A fault befalls the first request, unless it says "each time". \`max_attempts\` is 3, \`request_timeout\` 1 s where
nothing else ends a fault, and \`wait_timeout\` 1m. A creating POST whose answer was lost is looked for during a minute,
and sent once more where nothing appears; where the API did not process it, \`wait_timeout\` is 6s and ends that search.
create-service runs with \`name: shop-*\`, fork-service with the exact name \`shop\`, which may also be another job's: a
service of that name whose id the step never learned is named and left alone. A preview belongs to its pull request: the
next run uses what this one left, and closing or pruning deletes it. fork-service goes the way of create-service, and
prune-previews that of delete-preview: each meets one fault of each kind.
`

/** Text with nothing in it that Markdown would take for its own. */
const plain = (text: string) => text.replace(/[\\`*[\]<>|]/g, '\\$&')

/** The same from run to run: times, ports that were free, and the random part of a name. */
const steady = (line: string) =>
  line
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:…')
    .replace(/\b(after|at) [\d.]+s/g, '$1 …s')
    // Which part of the time was longest depends on the machine.
    .replace(/; [\d.]+s have passed: [^—]*(?= —)/g, '')
    .replace(/("shop-)[a-z0-9]{8}"|(-[0-9a-f]{8}-)[a-z0-9]{6}\b/g, (_, name, preview) =>
      name ? `${name}…"` : `${preview}…`,
    )

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

const tellingOutputs = ['service_id', 'initial_password', 'password', 'deleted', 'deleted_ids', 'kept_ids']

/** The names of the outputs that tell something; a list with its length. */
function outputsOf({ outputs }: Observed): string {
  const told = tellingOutputs.filter(name => !['', 'false', undefined].includes(outputs[name]))
  const shown = told.map(name =>
    name.endsWith('_ids') ? `${name} (${outputs[name]?.split(',').length})` : name,
  )
  return shown.join(', ') || 'none'
}

/** What failed, without the call, what was done about it, and what to do next. */
const causeOf = (line: string) =>
  steady(line)
    .replace(/^.*\((?:GET|POST|DELETE) [^)]*\) /, '')
    .replace(/(?:; | — ).*$/, '')

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
  const { row, observed } = result
  return [faultOf(row)[1], `${observed.sent}`, leftOf(result), outputsOf(observed)]
}

function renderSection(operation: string, results: Result[]): string {
  // Each signal has an exit code of its own, which alone is no reason for a row of its own.
  const byOutcome = Map.groupBy(results, result =>
    JSON.stringify([outcomeOf(result), 'fault' in result.row && result.observed.exitCode]),
  )
  const rows = [...byOutcome.values()].map(alike => {
    const faults = faultsOf(alike.map(({ row }) => row))
    const exitCodes = list(alike.map(({ observed }) => `${observed.exitCode}`))
    return [faults, exitCodes, ...alike.slice(0, 1).flatMap(outcomeOf)]
  })
  return `### ${operation}\n\n${renderTable(['Faults', 'Exit', 'Processed', 'Sent', 'Left', 'Outputs'], rows)}\n`
}

function renderErrors(results: Result[]): string {
  const told = results.flatMap(({ row, observed }) =>
    observed.errors.map(error => ({ row, cause: causeOf(error) })),
  )
  const byCause = Map.groupBy(told, ({ cause }) => cause)
  const rows = [...byCause].map(([cause, some]) => [faultsOf(some.map(({ row }) => row)), cause])
  return `### The error line

What follows the name of the call in it, with any operation that the fault fails; after it the line says what to do next
([troubleshooting](troubleshooting.md)). A step that SIGKILL ends writes none.

${renderTable(['Fault', 'Error'], rows)}
`
}

/** docs/reliability.md: what the rows came to, as tables by operation, and what the simulator does. */
export function renderReliability(results: Result[]): string {
  const byOperation = Map.groupBy(results, ({ row }) => row.subject.operation)
  const sections = [...byOperation].map(([operation, some]) => renderSection(operation, some))
  return [introduction, ...sections, renderErrors(results), renderSimulator()].join('\n')
}
