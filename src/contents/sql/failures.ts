/** Describes a statement that failed: its place, the statements in effect, and advice. Hides values of rows on request. */
import { type Session, StatementError } from '#postgres/session'
import { placeOf, type Statement } from './split-statements.ts'
import { type Place, SqlError, type SqlFile } from './sql-error.ts'

const runAlone = 'run it with `transaction: false`, which runs each statement by itself'

const alreadyExists =
  'an earlier run created it, or the fork already had it: use IF NOT EXISTS, omit files that have run, or reset the preview'

/** Advice by the server's error code (PostgreSQL documentation, appendix A). */
const adviceByCode: Record<string, string> = {
  // VACUUM and similar statements; COMMIT in a procedure.
  '25001': runAlone,
  '2D000': runAlone,
  '42P06': alreadyExists,
  '42P07': alreadyExists,
  '42701': alreadyExists,
  '42710': alreadyExists,
  '57014': 'raise statement_timeout, or split the statement',
  '55P03': 'raise lock_timeout, or run the statement when no other session holds the lock',
}

/** The place of the error that the server reports, or the start of the statement. */
function placeOfError(file: SqlFile, statement: Statement, { position }: StatementError): Place {
  if (position === undefined) return statement
  // The server counts code points, JavaScript UTF-16 units.
  const before = [...statement.text].slice(0, position - 1).join('')
  return placeOf(file.text, statement.offset + before.length)
}

/**
 * Removes values of rows from a server's message. Errors about data quote a value (PostgreSQL documentation, appendix
 * A, class 22): `invalid input syntax for type integer: "…"`. Violated constraints name values only in the detail.
 */
export const hideValues = (message: string, code: string): string =>
  code.startsWith('22') ? message.replace(/".*"/s, '"…"') : message

/** A session whose errors contain no values of rows, because the comment on a pull request shows them. */
export const hideValuesInErrors = (session: Session): Session => ({
  ...session,
  async query(sql, values) {
    const answer = await session.attempt(sql, values)
    if (!(answer instanceof StatementError)) return answer
    const { code, hint, position } = answer
    throw new StatementError({ message: hideValues(answer.message, code), code, hint, position })
  },
})

export class RefusedStatementError extends SqlError {
  /** `inEffect` describes which of the statements are in effect. `isFirst`: no file before this one is. */
  constructor(
    file: SqlFile,
    statement: Statement,
    cause: StatementError,
    { inEffect, isFirst }: { inEffect: string; isFirst: boolean },
  ) {
    const { message, code, detail, hint } = cause
    const usual = adviceByCode[code] ?? 'correct the statement'
    const advice =
      usual === runAlone && !isFirst ? `${runAlone}, in a step without the files in effect` : usual
    super(
      file,
      placeOfError(file, statement, cause),
      `${message} (SQLSTATE ${code})${detail ? `; ${detail}` : ''}; ${inEffect}`,
      hint ? `${advice} (the server's hint: ${hint})` : advice,
      { cause },
    )
  }
}
