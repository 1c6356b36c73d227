/** Opens sessions that run SQL. */
import type pg from 'pg'
import { type ConnectionLimits, connect } from './connect.ts'
import type { LoginConnection } from './connection.ts'
import { isServerError } from './login-refused.ts'
import { ownSettings } from './own-settings.ts'

export interface Answer {
  /** By column name; of several columns with the same name, the last. */
  rows: Record<string, unknown>[]
  /** Rows read, inserted or changed; 0 if the command has no such number. */
  rowCount: number
  /** Column names in order; empty for a statement without rows. */
  columns: string[]
  /** The command tag's first word, like SELECT or CREATE. */
  command: string
}

/** A message that the server sends besides its answers, as by RAISE NOTICE. */
export interface Notice {
  severity: string
  message: string
  detail?: string | undefined
  hint?: string | undefined
}

type ServerError = Partial<Pick<pg.DatabaseError, 'code' | 'detail' | 'hint' | 'where'>> & {
  message: string
  position?: string | number | undefined
}

/** The server refused a statement. The session continues; an open transaction can only be rolled back. */
export class StatementError extends Error {
  override name = 'StatementError'
  /** SQLSTATE (PostgreSQL documentation, appendix A). */
  readonly code: string
  readonly detail: string | undefined
  readonly hint: string | undefined
  /** Position in the text of the statements, in code points from 1. */
  readonly position: number | undefined
  readonly where: string | undefined

  constructor(cause: ServerError) {
    super(cause.message, { cause })
    this.code = cause.code ?? ''
    this.detail = cause.detail
    this.hint = cause.hint
    this.position = cause.position === undefined ? undefined : Number(cause.position)
    this.where = cause.where
  }
}

export interface Session {
  /**
   * Runs a statement. Several statements without values run as one transaction, unless the text starts one
   * itself. Returns the answer to the last statement.
   * @throws StatementError if the server refuses it; any other error if the connection is lost
   */
  query(sql: string, values?: readonly unknown[]): Promise<Answer>
  /** Like `query`, but returns a refusal instead of throwing it. */
  attempt(sql: string, values?: readonly unknown[]): Promise<Answer | StatementError>
}

/** Opens a session in the given database or the default one. Several sessions can be open at once. */
export type OpenSession = <Result>(
  use: (session: Session) => Promise<Result>,
  database?: string,
) => Promise<Result>

export interface SessionOptions extends ConnectionLimits {
  /** Whether the SQL is the user's. Then the settings of the role and the database apply, as for any client. */
  isForUser?: boolean
  /**
   * Returns numbers that JSON holds exactly, booleans and JSON as such, everything else as the server's text.
   * Without it the driver decides, and reads times in the time zone of the runner.
   */
  forJson?: boolean
  /** Milliseconds for the login and the action's own settings: a pooler accepts a login before it reaches the server. */
  loginTimeout?: number
  onNotice?: (notice: Notice) => void
}

type Query = Parameters<Session['query']>

/** Rows with the type that the query's text implies. */
export const asRows = <Row>(rows: Answer['rows']): Row[] => rows as Row[]

/** Runs a query and returns its rows with the type that its text implies. */
export async function queryRows<Row>(session: Session, ...query: Query): Promise<Row[]> {
  return asRows((await session.query(...query)).rows)
}

/** Runs a query that always returns one row. */
export async function queryRow<Row>(session: Session, ...query: Query): Promise<Row> {
  const [row] = await queryRows<Row>(session, ...query)
  if (row === undefined) throw new Error('a query that always returns a row returned none')
  return row
}

/** Runs a query that always returns one row, and returns its only column. */
export async function queryValue<Value>(session: Session, ...query: Query): Promise<Value> {
  const [value] = Object.values(await queryRow<object>(session, ...query))
  return value
}

/** Runs a query and returns the first column of its rows as texts. */
export async function queryTexts(session: Session, ...query: Query): Promise<string[]> {
  const { rows, columns } = await session.query(...query)
  return rows.map(row => String(row[columns[0] ?? '']))
}

/** Waits for a result. Returns a refusal by the server instead of throwing it. */
export const orRefusal = <Result>(result: Promise<Result>): Promise<Result | StatementError> =>
  result.catch(error => {
    if (error instanceof StatementError) return error
    throw error
  })

/** Runs `act` in a transaction. */
export async function inTransaction<Result>(session: Session, act: () => Promise<Result>): Promise<Result> {
  await session.query('begin')
  try {
    const result = await act()
    await session.query('commit')
    return result
  } catch (error) {
    if (error instanceof StatementError) await session.attempt('rollback')
    throw error
  }
}

const toAnswer = ({
  rows = [],
  rowCount,
  fields = [],
  command = '',
}: Partial<pg.QueryResult> = {}): Answer => ({
  rows,
  rowCount: rowCount ?? 0,
  columns: fields.map(({ name }) => name),
  command,
})

/** JSON has no NaN and no Infinity, so these stay text. */
const parseNumber = (text: string) => (Number.isFinite(Number(text)) ? Number(text) : text)

/** By type id: bool, int2, int4, oid, float4, float8, json, jsonb (PostgreSQL, pg_type.dat). */
const jsonParsers: Record<number, (text: string) => unknown> = {
  16: text => text === 't',
  21: Number,
  23: Number,
  26: Number,
  700: parseNumber,
  701: parseNumber,
  114: JSON.parse,
  3802: JSON.parse,
}

const typesForJson: pg.CustomTypesConfig = {
  getTypeParser: id => jsonParsers[id] ?? ((text: string) => text),
}

/** Codes of errors that also end the session: shutdown, crash, idle timeout (PostgreSQL documentation, appendix A). */
const endsSession = /^(?:08|25P03|57P)/

function openSession(client: pg.Client, forJson: boolean): Session {
  async function query(sql: string, values?: readonly unknown[]): Promise<Answer> {
    try {
      // pg returns one result, or a list if the text has several statements.
      const results = await client.query({
        text: sql,
        ...(values && { values: [...values] }),
        ...(forJson && { types: typesForJson }),
      })
      return toAnswer([results].flat().at(-1))
    } catch (error) {
      throw isServerError(error) && !endsSession.test(error.code ?? '') ? new StatementError(error) : error
    }
  }
  return { query, attempt: (sql, values) => orRefusal(query(sql, values)) }
}

/** Logs in, runs `use` once and disconnects, all within the limits. @throws like `probe`; the error of `use` */
export async function withSession<Result>(
  connection: LoginConnection,
  { onNotice, forJson = false, isForUser = false, loginTimeout, ...limits }: SessionOptions,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  const login = new AbortController()
  const timer =
    loginTimeout &&
    setTimeout(() => login.abort(new Error(`no answer within ${loginTimeout / 1000} s`)), loginTimeout)
  const signal = AbortSignal.any([limits.signal, login.signal])
  let outcome: Promise<Result> | undefined
  await connect(connection, { ...limits, signal }, async client => {
    client.on('notice', ({ severity = 'NOTICE', message = '', detail, hint }) =>
      onNotice?.({ severity, message, detail, hint }),
    )
    const session = openSession(client, forJson)
    outcome = (async () => {
      if (!isForUser) await session.query(ownSettings)
      clearTimeout(timer)
      return await use(session)
    })()
    // An error of `use` must not look like a failed login, after which `connect` may try a second time.
    await outcome.catch(() => {})
  }).finally(() => clearTimeout(timer))
  if (outcome === undefined) throw new Error('the session did not start')
  return await outcome.catch(error => {
    signal.throwIfAborted()
    throw error
  })
}
