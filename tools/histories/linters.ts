/** Asks the static checkers of migrations for their opinion of a file. */
import { execFile } from 'node:child_process'

/** How a linter is asked, and which of its rules answers a question. */
interface Linter {
  arguments: string[]
  /** The ids of rules in its report. */
  id: RegExp
  lost: string[]
  rewritten: string[]
}

export const linters = {
  squawk: {
    arguments: ['--reporter', 'json', '--pg-version', '18.0'],
    id: /"rule_name":\s*"([^"]+)"/g,
    lost: ['ban-drop-column', 'ban-drop-table', 'ban-drop-database', 'ban-truncate-cascade'],
    rewritten: ['changing-column-type', 'adding-field-with-default'],
  },
  eugene: {
    arguments: ['lint', '--format', 'json'],
    id: /"id":\s*"([EW]\d+)"/g,
    lost: [],
    rewritten: ['E5', 'E11'],
  },
} satisfies Record<string, Linter>

export type LinterName = keyof typeof linters

/** The rules that a file breaks. Linters exit with an error if there are any. */
export function lint(name: LinterName, program: string, file: string): Promise<Set<string>> {
  const { arguments: words, id } = linters[name]
  return new Promise((resolve, reject) =>
    execFile(program, [...words, file], { maxBuffer: 2 ** 28 }, (error, output, problem) =>
      output === '' && error
        ? reject(new Error(`${name} failed: ${problem || error.message}`))
        : resolve(new Set([...output.matchAll(id)].map(match => match[1] ?? ''))),
    ),
  )
}
