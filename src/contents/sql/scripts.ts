/** Parses SQL files into statements, and refuses transaction control that a step cannot run. */
import { ActionError } from '#base/errors'
import type { Seam } from '#base/seam'
import { endsTransaction, readStatements, type Statement } from './split-statements.ts'
import { SqlError, type SqlFile } from './sql-error.ts'

export interface Script {
  file: SqlFile
  statements: Statement[]
}

const beginsTransaction = ({ words }: Statement) => /^(?:BEGIN|START TRANSACTION)\b/.test(words.join(' '))

const controlsTransaction = (statement: Statement) =>
  beginsTransaction(statement) || endsTransaction(statement.words.join(' '))

/** Refuses BEGIN, COMMIT and others in a file that runs in one transaction. */
function refuseTransactionControl({ file, statements }: Script, alternative = ''): void {
  const control = statements.find(controlsTransaction)
  if (control === undefined) return
  const word = control.words[0] ?? ''
  const removal = /^(?:BEGIN|START|COMMIT|END)$/.test(word) ? 'remove BEGIN and COMMIT' : `remove ${word}`
  throw new SqlError(
    file,
    control,
    `${word} controls a transaction, but each file already runs in one`,
    `${removal}${alternative}`,
  )
}

/** Refuses a file that ends with an open transaction, which would be rolled back silently. */
function refuseOpenTransaction({ file, statements }: Script): void {
  const last = statements.findLast(controlsTransaction)
  if (last === undefined || !beginsTransaction(last)) return
  throw new SqlError(
    file,
    last,
    `${last.words[0]} begins a transaction that the file does not end`,
    'add COMMIT after it, or remove it',
  )
}

/** The end of the parsing: a deadline on the clock of the seam's `now`, and a signal. */
export interface ParseLimits {
  deadline: number
  seam: Pick<Seam, 'now'>
  signal: AbortSignal
}

/** Waits often while a long text is parsed, so that signals and timers take effect. */
async function splitWithPauses(file: SqlFile, limits?: ParseLimits): Promise<Statement[]> {
  const statements: Statement[] = []
  for (const statement of readStatements(file)) {
    if (statement !== undefined) {
      statements.push(statement)
      continue
    }
    await new Promise(resolve => setImmediate(resolve))
    limits?.signal.throwIfAborted()
    if (limits && limits.seam.now() >= limits.deadline)
      throw new ActionError(
        'the operation timed out before all SQL was parsed',
        'raise wait_timeout, or load large files with psql in a step of your own',
      )
  }
  return statements
}

/**
 * Parses all files before the first statement runs. `alternative`: another way to run a file, for the end of the advice on
 * transaction control.
 * @throws SqlError; ActionError at the deadline; the reason of the signal
 */
export async function parseScripts(
  files: SqlFile[],
  { transaction, alternative, limits }: { transaction: boolean; alternative?: string; limits?: ParseLimits },
): Promise<Script[]> {
  const scripts: Script[] = []
  for (const file of files) scripts.push({ file, statements: await splitWithPauses(file, limits) })
  for (const script of scripts) {
    if (transaction) refuseTransactionControl(script, alternative)
    else refuseOpenTransaction(script)
  }
  return scripts
}
