import { ActionError } from '#base/errors'
import { type Statement, splitInSteps } from './split-statements.ts'
import { SqlError, type SqlFile } from './sql-error.ts'

/** A file and its statements. */
export interface Script {
  file: SqlFile
  statements: Statement[]
}

/** The file begins or ends transactions where it must not. */
export class TransactionInFileError extends SqlError {}

const begins = /^(?:BEGIN|START TRANSACTION)\b/
/** ROLLBACK TO a savepoint stays within the transaction. */
const ends = /^(?:COMMIT|END|ABORT|PREPARE TRANSACTION|ROLLBACK(?! (?:(?:WORK|TRANSACTION) )?TO\b))\b/

/** Whether a statement with these first words, in capitals, begins a transaction. */
export const beginsTransaction = (words: string) => begins.test(words)

/** Whether a statement with these first words, in capitals, ends one. */
export const endsTransaction = (words: string) => ends.test(words)

const beginningOf = ({ words }: Statement) => words.join(' ')

/** Each file is one transaction: it must neither begin nor end one. */
function refuseOwnTransaction({ file, statements }: Script, alternative = ''): void {
  const own = statements.find(one => beginsTransaction(beginningOf(one)) || endsTransaction(beginningOf(one)))
  if (own === undefined) return
  const word = own.words[0] ?? ''
  const removal = /^(?:BEGIN|START|COMMIT|END)$/.test(word) ? 'remove BEGIN and COMMIT' : `remove ${word}`
  throw new TransactionInFileError(
    file,
    own,
    `${word} controls a transaction, but each file already runs in one`,
    `${removal}${alternative}`,
  )
}

/** A transaction that is still open where the file ends would be rolled back, and nobody would notice. */
function refuseOpenTransaction({ file, statements }: Script): void {
  const last = statements.findLast(
    one => beginsTransaction(beginningOf(one)) || endsTransaction(beginningOf(one)),
  )
  if (last === undefined || !beginsTransaction(beginningOf(last))) return
  throw new TransactionInFileError(
    file,
    last,
    `${last.words[0]} begins a transaction that the file does not end`,
    'write COMMIT behind it, or take it out',
  )
}

/** How a text is parsed. */
export interface ParseOptions {
  transaction: boolean
  /** The end of the advice for a file that controls transactions: another way to run it. */
  alternative?: string
  /** Is awaited often while a long text is parsed, so that signals and timers take effect. It throws to end the parsing. */
  pause?: () => Promise<void>
}

/** Lets the process handle signals and timers. */
const handleEvents = () => new Promise<void>(resolve => setImmediate(resolve))

async function split(file: SqlFile, pause: () => Promise<void>): Promise<Statement[]> {
  const steps = splitInSteps(file)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await pause()
  }
}

/** A pause that ends the parsing at a deadline, and where the signal is aborted. `now` and `deadline` are of one clock. */
export function pauseUntil(deadline: number, now: () => number, signal: AbortSignal) {
  return async () => {
    await handleEvents()
    signal.throwIfAborted()
    if (now() >= deadline)
      throw new ActionError(
        'the time for the operation was over before all SQL was parsed',
        'raise wait_timeout, or load large files with psql in a step of your own',
      )
  }
}

/**
 * Reads the statements of files, all before one is run.
 *
 * @throws ClientCommandError, TransactionInFileError; what `pause` throws
 */
export async function parseScripts(
  files: SqlFile[],
  { transaction, alternative, pause = handleEvents }: ParseOptions,
): Promise<Script[]> {
  const scripts: Script[] = []
  for (const file of files) scripts.push({ file, statements: await split(file, pause) })
  for (const script of scripts)
    if (transaction) refuseOwnTransaction(script, alternative)
    else refuseOpenTransaction(script)
  return scripts
}
