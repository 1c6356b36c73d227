import type { Observed, Row } from './run-row.ts'

/** A row of the matrix with what came of it. */
export interface Result {
  row: Row
  observed: Observed
}

const introduction = `# Reliability

Each row below is one run of the committed \`dist/\` as a process of its own, over real sockets, against the emulator,
which lets one fault befall the operation's own request. The tables are what those runs came to, written down by the
test that checks them; \`npx vitest run test/scenarios/fault-matrix.test.ts -u\` makes them anew, and the same command
without \`-u\` fails where they are stale.

## The fault matrix

- **Processed**: whether the API did what the request asked before the fault struck.
- **Sent**: how many creating POSTs, or DELETEs, arrived at the API.
- **Left**: what is at the API once the step has ended and all that was under way is done.
- **After cleanup**: what the end of the job leaves of it, with \`cleanup: always\`.
- A fault befalls the first request only, unless it says "each time".
- \`wait_timeout\` is 6 s, \`max_attempts\` 3, and where nothing else ends a fault, \`request_timeout\` 1 s. With the usual
  \`wait_timeout\` a creating POST whose answer was lost is looked for during a minute, and sent once more where it never
  appears; the rows here end before that.
`

/** Text as a cell of a table, with nothing in it that Markdown or HTML would take for its own. */
const cell = (text: string) => text.replace(/[\\`*_[\]<>|&]/g, character => `&#${character.charCodeAt(0)};`)

/** The same from run to run: times, and ports that were free. */
const steady = (line: string) =>
  line.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:…').replace(/\b(after|at) [\d.]+s/g, '$1 …s')

function what(row: Row): [title: string, processed: string] {
  if ('interruption' in row) return [`${row.interruption.signal} ${row.interruption.title}`, 'yes']
  const { title, when, times } = row.fault
  if (when === undefined) return [title, 'no']
  return [times === 'for ever' ? `${title}, each time` : title, when === 'after' ? 'yes' : 'no']
}

function count(services: unknown[]): string {
  if (services.length === 0) return 'nothing'
  return services.length === 1 ? '1 service' : `${services.length} services`
}

function leftOf({ row, observed }: Result): string {
  const { services, doomed } = observed
  if (row.subject.does === 'create') return count(services)
  const there = services.filter(({ service_id }) => doomed.includes(service_id))
  if (doomed.length === 1) return there.length === 0 ? 'nothing' : 'the service'
  return `${there.length} of ${doomed.length}`
}

const shownOutputs = ['service_id', 'initial_password', 'password', 'deleted', 'deleted_ids', 'kept_ids']

/** The names of what a later step can use; a list with its length. */
function outputsOf({ outputs }: Observed): string {
  const shown = shownOutputs
    .filter(name => outputs[name] !== undefined && outputs[name] !== '')
    .map(name => {
      if (name === 'deleted') return `deleted=${outputs[name]}`
      return name.endsWith('_ids') ? `${name} (${outputs[name]?.split(',').length})` : name
    })
  return shown.join(', ') || 'none'
}

function line(result: Result): string {
  const { observed } = result
  const cells = [
    ...what(result.row),
    String(observed.exitCode),
    String(observed.sent),
    leftOf(result),
    ...(observed.post ? [count(observed.post.services)] : []),
    outputsOf(observed),
    steady(observed.errors.join(' ')),
  ]
  return `| ${cells.map(cell).join(' | ')} |`
}

function section(operation: string, results: Result[]): string {
  const cleanup = results.some(({ observed }) => observed.post) ? ['After cleanup'] : []
  const head = ['Fault', 'Processed', 'Exit', 'Sent', 'Left', ...cleanup, 'Outputs', 'Error line']
  const rule = head.map(name => (name === 'Exit' || name === 'Sent' ? '--:' : '---'))
  return [`### ${operation}\n`, `| ${head.join(' | ')} |`, `|${rule.join('|')}|`, ...results.map(line)].join(
    '\n',
  )
}

/** docs/reliability.md: what the rows came to, as tables by operation. */
export function renderReliability(results: Result[]): string {
  const operations = [...new Set(results.map(({ row }) => row.subject.operation))]
  const sections = operations.map(operation =>
    section(
      operation,
      results.filter(({ row }) => row.subject.operation === operation),
    ),
  )
  return `${introduction}\n${sections.join('\n\n')}\n`
}
