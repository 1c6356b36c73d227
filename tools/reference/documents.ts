/** Writes generated tables and blocks of documents. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A table of Markdown. With `numbers`, all columns but the first one are numbers. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[], numbers = false) {
  const rest = (numbers ? '--:|' : '---|').repeat(head.length - 1)
  return [`| ${head.join(' | ')} |`, `|---|${rest}`, ...rows.map(cells => `| ${cells.join(' | ')} |`)].join(
    '\n',
  )
}

/**
 * Replaces the text between the lines `BEGIN name` and `END name`, in comments of any kind.
 * @throws Error when the text has no such lines
 */
export function replaceBlock(text: string, name: string, content: string): string {
  const lines = text.split('\n')
  const begin = lines.findIndex(line => line.includes(`BEGIN ${name} (generated`))
  const end = lines.findIndex(line => line.includes(`END ${name}`))
  if (begin < 0 || end < begin)
    throw new Error(
      `there are no lines "BEGIN ${name} (generated …)" and "END ${name}" in this order: put them back as comments`,
    )
  return [...lines.slice(0, begin + 1), content, ...lines.slice(end)].join('\n')
}

/** Writes the results of a measurement to its block of docs/internals/performance.md. */
export function writeMeasurement(name: string, content: string): void {
  const file = join(import.meta.dirname, '../../docs/internals/performance.md')
  writeFileSync(file, replaceBlock(readFileSync(file, 'utf8'), name, content))
}
