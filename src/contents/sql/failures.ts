import { messageOf } from '#base/errors'
import { type Session, StatementError } from '#postgres/session'
import { placeOf, type Statement } from './split-statements.ts'
import { type Place, SqlError, type SqlFile } from './sql-error.ts'

const byItself = 'run it with `transaction: false`, which runs each statement by itself'

const thereAlready =
  'an earlier run made it, or it came with the fork: write IF NOT EXISTS, leave out files that have run, or reset the preview'

/** Advice by the server's code (PostgreSQL documentation, appendix A). */
const adviceByCode: Record<string, string> = {
  // VACUUM and the like; COMMIT in a procedure.
  '25001': byItself,
  '2D000': byItself,
  '42P06': thereAlready,
  '42P07': thereAlready,
  '42701': thereAlready,
  '42710': thereAlready,
  '57014': 'raise statement_timeout, or let the statement do less',
  '55P03': 'raise lock_timeout, or run it when no other session holds the lock',
}

/** Where the server found the mistake, or else where the statement begins. */
function placeOfMistake(file: SqlFile, statement: Statement, { position }: StatementError): Place {
  if (position === undefined) return statement
  const before = [...statement.text].slice(0, position - 1).join('')
  return placeOf(file.text, statement.offset + before.length)
}

/**
 * The message of a server without values of rows. Of the errors, those about data quote a value (PostgreSQL documentation, appendix A,
 * class 22): `invalid input syntax for type integer: "…"`. Violated constraints name it in the detail only.
 */
export const hideValues = (message: string, code: string): string =>
  code.startsWith('22') ? message.replace(/".*"/s, '"…"') : message

/** The same refusal without values of rows: they must not reach the comment on a pull request. */
const withoutValues = ({ message, code, hint, position }: StatementError): StatementError =>
  new StatementError({
    message: hideValues(message, code),
    code,
    hint,
    position: position === undefined ? undefined : String(position),
    detail: undefined,
    where: undefined,
  })

/** A session whose refusals hold no values of rows. */
export const hidingValues = (session: Session): Session => ({
  ...session,
  async query(sql, values) {
    const answer = await session.attempt(sql, values)
    if (answer instanceof StatementError) throw withoutValues(answer)
    return answer
  },
})

/** The server refuses a statement. */
export class RefusedStatementError extends SqlError {
  /** `left` says what is in effect of all that ran. */
  constructor(file: SqlFile, statement: Statement, cause: StatementError, left: string) {
    const { message, code, detail, hint } = cause
    const advice = adviceByCode[code] ?? 'correct the statement'
    super(
      file,
      placeOfMistake(file, statement, cause),
      `${message} (SQLSTATE ${code})${detail ? `; ${detail}` : ''}; ${left}`,
      hint ? `${advice} (the server's hint: ${hint})` : advice,
      { cause },
    )
  }
}

/** The connection broke while a statement ran. */
export class BrokenSessionError extends SqlError {
  constructor(file: SqlFile, statement: Statement, cause: unknown, left: string) {
    super(
      file,
      statement,
      `the connection broke: ${messageOf(cause)}; ${left}`,
      'look at the database before running the step again, since SQL is never sent twice by itself',
      { cause },
    )
  }
}
