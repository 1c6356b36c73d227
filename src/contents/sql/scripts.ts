import { type Statement, splitStatements } from './split-statements.ts'
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
function refuseOwnTransaction({ file, statements }: Script): void {
  const own = statements.find(one => beginsTransaction(beginningOf(one)) || endsTransaction(beginningOf(one)))
  if (own === undefined) return
  throw new TransactionInFileError(
    file,
    own,
    `${own.words[0]} controls a transaction, but each file already runs in one`,
    'take it out, or run it with `transaction: false`, where the transactions are those of the files',
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

/**
 * Reads the statements of files, all before one is run.
 *
 * @throws ClientCommandError, TransactionInFileError
 */
export function parseScripts(files: SqlFile[], { transaction }: { transaction: boolean }): Script[] {
  const scripts = files.map(file => ({ file, statements: splitStatements(file) }))
  for (const script of scripts) (transaction ? refuseOwnTransaction : refuseOpenTransaction)(script)
  return scripts
}
