/** Asks the static checkers of migrations for their opinion of a file. */
import { execFile } from 'node:child_process'

/** A verdict on a migration as a whole. Undefined without a rule for the question. */
export interface Opinion {
  lost: boolean | undefined
  rewritten: boolean | undefined
}

interface Linter {
  arguments: string[]
  /** The ids of rules in its report. */
  id: RegExp
  lost: string[] | undefined
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
    lost: undefined,
    rewritten: ['E5', 'E11'],
  },
} satisfies Record<string, Linter>

export type LinterName = keyof typeof linters

/** Linters exit with 1 if they find something. */
export function lint(name: LinterName, program: string, file: string): Promise<Opinion> {
  const { arguments: words, id, lost, rewritten }: Linter = linters[name]
  return new Promise((resolve, reject) =>
    execFile(program, [...words, file], { maxBuffer: 2 ** 28 }, (error, output, problem) => {
      if (output === '' && error) return reject(new Error(`${name} failed: ${problem || error.message}`))
      const found = new Set([...output.matchAll(id)].map(match => match[1] ?? ''))
      const has = (rules: string[]) => rules.some(rule => found.has(rule))
      resolve({ lost: lost && has(lost), rewritten: has(rewritten) })
    }),
  )
}
