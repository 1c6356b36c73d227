import type pg from 'pg'
import type { Connection } from './connection.ts'
import { ownSettings } from './own-settings.ts'
import { connect, type Driver, type Limits, loadDriver } from './probe.ts'

/** What a statement gave. */
export interface Answer {
  /** By the names of the columns; of several with one name the last. */
  rows: Record<string, unknown>[]
  /** How many rows were read, made or changed; 0 where the command has no such number. */
  rowCount: number
  /** The names of the columns, in order; none for a statement that gives no rows. */
  columns: string[]
  /** What was done, like SELECT or CREATE. */
  command: string
}

/** What the server says beside its answers, as by RAISE NOTICE. */
export interface Notice {
  severity: string
  message: string
  detail?: string | undefined
  hint?: string | undefined
}

/** The server refused a statement. The session goes on; a transaction that was open can only be rolled back. */
export class StatementError extends Error {
  override name = 'StatementError'
  /** PostgreSQL's five characters (its documentation, appendix A). */
  readonly code: string
  readonly detail: string | undefined
  readonly hint: string | undefined
  /** Where in the text of the statements, in code points from 1 on. */
  readonly position: number | undefined
  /** In which function, and by which of its lines. */
  readonly where: string | undefined

  constructor(cause: Pick<pg.DatabaseError, 'message' | 'code' | 'detail' | 'hint' | 'position' | 'where'>) {
    super(cause.message, { cause })
    this.code = cause.code ?? ''
    this.detail = cause.detail
    this.hint = cause.hint
    this.position = cause.position === undefined ? undefined : Number(cause.position)
    this.where = cause.where
  }
}

/** A login that was accepted. */
export interface Session {
  /**
   * Runs a statement and gives its answer. Several statements without values run as one transaction, if the text begins
   * none itself; the answer is the last one's.
   *
   * @throws StatementError if the server refuses it; any other error if the connection is lost
   */
  query(sql: string, values?: readonly unknown[]): Promise<Answer>
  /** As `query`, without values; gives the answers of all statements of the text. */
  queryAll(sql: string): Promise<Answer[]>
  /** As `query`, but a refusal by the server is given, not thrown. */
  attempt(sql: string, values?: readonly unknown[]): Promise<Answer | StatementError>
}

export interface SessionOptions extends Limits {
  /** The SQL is the user's: what the role and the database prescribe holds for it, as for any client. */
  isForUser?: boolean
  /**
   * Numbers that JSON holds exactly, flags and JSON are given as such, all else in the server's own words. Without it the
   * driver decides, and reads times in the time zone of the machine.
   */
  forJson?: boolean
  /** Told of each notice as it comes. */
  onNotice?: (notice: Notice) => void
}

/** Rows of an answer, in the shape that the text of their query gives them. */
export const asRows = <Row>(rows: Answer['rows']): Row[] => rows as Row[]

/** The rows of a query whose text gives them this shape. */
export async function queryRows<Row>(
  session: Pick<Session, 'query'>,
  sql: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  return asRows((await session.query(sql, values)).rows)
}

/** The row of a query whose text gives one, of this shape. */
export async function queryRow<Row>(session: Pick<Session, 'query'>, sql: string): Promise<Row> {
  const [row] = await queryRows<Row>(session, sql)
  if (row === undefined) throw new Error('a query that always gives a row gave none')
  return row
}

const toAnswer = ({ rows, rowCount, fields, command }: pg.QueryResult): Answer => ({
  rows,
  rowCount: rowCount ?? 0,
  columns: fields.map(({ name }) => name),
  command,
})

/** Of a float, JSON has no NaN and no Infinity. */
const readNumber = (text: string) => (Number.isFinite(Number(text)) ? Number(text) : text)

/** By the ids of the types: bool, int2, int4, oid, float4, float8, json, jsonb (PostgreSQL, pg_type.dat). */
const readers: Record<number, (text: string) => unknown> = {
  16: text => text === 't',
  ...{ 21: Number, 23: Number, 26: Number, 700: readNumber, 701: readNumber },
  ...{ 114: JSON.parse, 3802: JSON.parse },
}

const typesForJson: pg.CustomTypesConfig = { getTypeParser: id => readers[id] ?? ((text: string) => text) }

/** The server ends the session with the error (PostgreSQL documentation, appendix A: shutdown, crash, idle for too long). */
const ending = /^(?:08|25P03|57P)/

function openSession(client: pg.Client, { DatabaseError }: Driver, forJson: boolean): Session {
  async function queryAll(sql: string, values?: readonly unknown[]): Promise<Answer[]> {
    try {
      // pg gives one result, or a list where the text has several statements.
      const results = await client.query({
        text: sql,
        ...(values && { values: [...values] }),
        ...(forJson && { types: typesForJson }),
      })
      return [results].flat().map(toAnswer)
    } catch (error) {
      const isRefusal = error instanceof DatabaseError && !ending.test(error.code ?? '')
      throw isRefusal ? new StatementError(error) : error
    }
  }
  async function query(sql: string, values?: readonly unknown[]): Promise<Answer> {
    const answers = await queryAll(sql, values)
    return answers.at(-1) ?? { rows: [], rowCount: 0, columns: [], command: '' }
  }
  return {
    query,
    queryAll: sql => queryAll(sql),
    attempt: (sql, values) =>
      query(sql, values).catch(error => {
        if (error instanceof StatementError) return error
        throw error
      }),
  }
}

/**
 * Logs in, lets `use` ask, and closes again, all within the limits. `use` is called once at most.
 *
 * @throws as `probe`; what `use` throws
 */
export async function withSession<Result>(
  connection: Connection & { password: string },
  { onNotice, forJson = false, isForUser = false, ...limits }: SessionOptions,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  const driver = await loadDriver()
  let outcome: Promise<Result> | undefined
  await connect(connection, limits, async client => {
    client.on('notice', ({ severity = 'NOTICE', message = '', detail, hint }) =>
      onNotice?.({ severity, message, detail, hint }),
    )
    const session = openSession(client, driver, forJson)
    outcome = (async () => {
      if (!isForUser) await session.query(ownSettings)
      return await use(session)
    })()
    // What `use` throws must not look like a failed login, after which `connect` may try a second time.
    await outcome.catch(() => {})
  })
  if (outcome === undefined) throw new Error('the database was not asked')
  return await outcome.catch(error => {
    limits.signal.throwIfAborted()
    throw error
  })
}

/** Of a session that may take long, once it is there. */
export interface LongLimits extends Limits {
  /** Milliseconds until the login is accepted. */
  timeout: number
  /** Milliseconds in all. */
  longest: number
}

/** As `withSession`, where the session may last longer than it may take to get in. */
export async function withLongSession<Result>(
  connection: Connection & { password: string },
  { timeout, longest, ...limits }: LongLimits,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${timeout / 1000} s`)), timeout)
  try {
    return await withSession(
      connection,
      { ...limits, timeout: longest, signal: AbortSignal.any([limits.signal, late.signal]) },
      session => {
        clearTimeout(timer)
        return use(session)
      },
    )
  } finally {
    clearTimeout(timer)
  }
}
