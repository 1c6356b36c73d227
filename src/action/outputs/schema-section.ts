import type { SchemaDiff } from '../../contents/schema/schema.ts'
import { renderFolded } from './folded.ts'

/** A job's outputs have 1 MB in all, and a variable of the environment 128 KB (GitHub; Linux, MAX_ARG_STRLEN). */
const mostOfOutput = 20_000

/** The runner refuses a summary of more than 1 MiB. */
const mostOfSummary = 250_000

/** More lines are folded away. */
const mostVisible = 40

/** The first lines of a text, as far as there is room, and how many there are beside them. */
function cutLines(lines: string[], most: number): string[] {
  let left = most
  const cut = lines.findIndex(line => {
    left -= line.length + 1
    return left < 0
  })
  return cut < 0 ? lines : [...lines.slice(0, cut), `… and ${lines.length - cut} more lines`]
}

/** A diff as an output: what fits. `plain` makes any line harmless. */
export function renderDiff({ text }: SchemaDiff, plain: (line: string) => string): string {
  return cutLines(text.split('\n').map(plain), mostOfOutput).join('\n')
}

/** How a schema differs, as parts of a summary. */
export function renderSchemaSection(diff: SchemaDiff | undefined, plain: (line: string) => string): string[] {
  if (diff === undefined) return []
  if (diff.text === '') return ['Schema: no difference']
  const lines = cutLines(diff.text.split('\n').map(plain), mostOfSummary)
  // Longer than any run of backticks within.
  const longest = Math.max(2, ...(lines.join('\n').match(/`+/g) ?? []).map(run => run.length))
  const fence = '`'.repeat(longest + 1)
  const block = [`${fence}diff`, ...lines, fence].join('\n')
  const title = `Schema +${diff.added} −${diff.removed} ~${diff.changed}`
  return lines.length > mostVisible ? [renderFolded(title, block)] : [title, block]
}
