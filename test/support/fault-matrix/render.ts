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

Each row is one run of a whole step on real sockets, against the emulator, which lets one fault befall the operation's own
request: the creating POST, or the DELETE. Made by

\`\`\`sh
npx --no vitest run test/scenarios/fault-matrix.test.ts -u
\`\`\`

- **Processed**: whether the API did what it was asked before the fault struck.
- **Exit**: the exit code of the step.
- **Sent**: how many creating POSTs, or DELETEs, arrived at the API.
- **Left**: what is at the API when the step has ended and all that was under way is done; and where a failed step left
  what it created, what the end of the job leaves of it, with \`cleanup: always\`.
- **Outputs**: those set by then that tell what was created or deleted.
- **Error**: what the one error line begins with. The log also says what to do next
  ([troubleshooting](troubleshooting.md)).

A fault befalls the first request, unless it says "each time"; of prune's deletions, the first. \`max_attempts\` is 3, and
\`request_timeout\` 1 s where nothing else ends a fault. A creating POST whose answer was lost is looked for during a
minute, and sent once more where nothing appears; rows in which nothing does end before that, by \`wait_timeout: 6s\`;
the others have \`1m\`. create-service runs with \`name: shop-*\`, fork-service with the exact name \`shop\`: what it never
learned the id of may be another job's, and is named and left alone. A preview belongs to its pull request: what a run of
it leaves is used by the next one, or ended by closing or pruning. fork-service goes the way of create-service, and prune-previews that of delete-preview: of faults
that are alike, one befalls them.
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

function renderSection(operation: string, results: Result[]): string {
  const rows = results.map(result => {
    const { row, observed } = result
    const error = observed.errors.map(causeOf).join()
    const { exitCode, sent } = observed
    const cells = [...faultOf(row), `${exitCode}`, `${sent}`, leftOf(result), outputsOf(observed), error]
    return `| ${cells.map(plain).join(' | ')} |`
  })
  return `### ${operation}

| Fault | Processed | Exit | Sent | Left | Outputs | Error |
|---|---|--:|--:|---|---|---|
${rows.join('\n')}
`
}

/** docs/reliability.md: what the rows came to, as tables by operation, and what the simulator does. */
export function renderReliability(results: Result[]): string {
  const byOperation = Map.groupBy(results, ({ row }) => row.subject.operation)
  const sections = [...byOperation].map(([operation, some]) => renderSection(operation, some))
  return [introduction, ...sections, renderSimulator()].join('\n')
}
