import { Socket } from 'node:net'
import type pg from 'pg'
import { checkAnswers } from './checked-answers.ts'
import type { Connection } from './connection.ts'
import { LoginRefusedError, PasswordRefusedError } from './login-refused.ts'
import { type Mark, writeMark } from './marks.ts'
import { ownSettings } from './own-settings.ts'
import { CertificateError, explainCertificate, type Tls, tlsOptions } from './tls.ts'

/** The server answers, but is still starting up (PostgreSQL documentation, appendix A). */
const cannotConnectNow = '57P03'

/** The password is wrong, or there is no such user, which a server does not tell apart (the same appendix). */
const invalidPassword = '28P01'

/** What the bundle holds of the driver (tools/build/pg.cjs). */
export type Driver = Pick<typeof pg, 'Client' | 'DatabaseError'>

/** Loads the driver only when a database is asked: most steps ask none. */
export async function loadDriver(): Promise<Driver> {
  const { default: driver } = await import('pg')
  return driver
}

/** No password is known here, but the server asked for one, so it is up. */
class PasswordAskedError extends Error {
  override name = 'PasswordAskedError'
}

/** Whether an error came from a server that speaks the Postgres protocol and is up. */
function isAnswer({ DatabaseError }: Driver, error: unknown): boolean {
  if (error instanceof PasswordAskedError) return true
  return error instanceof DatabaseError && error.code !== cannotConnectNow
}

/** Class 28 is authorization; 3D000 a database that does not exist (PostgreSQL documentation, appendix A). */
function isRefusal({ DatabaseError }: Driver, error: unknown): error is pg.DatabaseError {
  return error instanceof DatabaseError && /^28|^3D000$/.test(error.code ?? '')
}

function refusal(error: pg.DatabaseError): LoginRefusedError {
  const Refused = error.code === invalidPassword ? PasswordRefusedError : LoginRefusedError
  return new Refused(error.message, { cause: error })
}

/** Milliseconds that the server gets to close the connection after our goodbye. */
const goodbyeTimeout = 1000

/** The error of a connection that took too long: pg alone would wait for ever for a server that says nothing. */
function renderLate(socket: Socket, timeout: number): string {
  return `no ${socket.connecting ? 'connection' : 'answer'} within ${Number((timeout / 1000).toPrecision(2))} s`
}

/** How long a session may take, and how much it may be told. */
export interface Limits {
  /** Milliseconds in all, from connecting on. */
  timeout: number
  /** Once it is aborted, the session ends at once. */
  signal: AbortSignal
  /**
   * The most bytes that the server may send: pg keeps a message until it is whole, and a server may announce one of 1 GB.
   * 1 MiB if left out.
   */
  mostBytes?: number
}

/** What to do with a client whose login was accepted; not called otherwise. */
type Use = (client: pg.Client) => Promise<void>

/** pg would take options from PGOPTIONS of the job. There must be none: poolers refuse them (PgBouncer before 1.20). */
function newClient({ Client }: Driver, config: pg.ClientConfig): pg.Client {
  const { PGOPTIONS } = process.env
  delete process.env.PGOPTIONS
  try {
    return new Client(config)
  } finally {
    if (PGOPTIONS !== undefined) process.env.PGOPTIONS = PGOPTIONS
  }
}

/** The driver would wait for ever for a socket that Node.js refuses to connect. */
function assertPort({ port }: Connection): void {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`${port} is not a port`)
}

async function connectOnce(
  driver: Driver,
  connection: Connection,
  ssl: Tls,
  { timeout, signal, mostBytes }: Limits,
  use: Use,
): Promise<void> {
  const { host, port, user, database, password } = connection
  const socket = new Socket()
  const client = newClient(driver, {
    host,
    port,
    user,
    database,
    // Without a password none is tried, not even an empty one: failed logins fill logs and lock accounts.
    password: password || (() => Promise.reject(new PasswordAskedError())),
    application_name: 'managed-database-action',
    ssl,
    stream: () => socket,
  })
  // An `error` event crashes the process if nothing listens, as for a reset, or for a port that the driver refuses.
  client.on('error', () => {})
  socket.on('error', () => {})
  checkAnswers(client, mostBytes)
  const hangUp = () => socket.destroy(new Error(renderLate(socket, timeout)))
  signal.addEventListener('abort', hangUp)
  try {
    await client.connect()
    await use(client)
  } catch (error) {
    if (password === '' && error instanceof PasswordAskedError)
      throw new PasswordRefusedError('it asks for a password, and none is given', { cause: error })
    if (password !== undefined || !isAnswer(driver, error))
      throw isRefusal(driver, error) ? refusal(error) : explainCertificate(connection, error)
  } finally {
    const goodbye = setTimeout(hangUp, goodbyeTimeout)
    await client.end().catch(() => {})
    clearTimeout(goodbye)
    signal.removeEventListener('abort', hangUp)
  }
}

/**
 * Logs in, lets `use` ask, and closes again, all within the limits. Rejects as soon as the signal is aborted. Where
 * `use` throws and `sslmode` allows to do without TLS, it is called a second time.
 *
 * @throws as `probe`; what `use` throws
 */
export async function connect(connection: Connection, given: Limits, use: Use): Promise<void> {
  const { timeout, signal } = given
  assertPort(connection)
  const [first = false, ...others] = tlsOptions(connection)
  const late = AbortSignal.timeout(Math.ceil(timeout))
  const limits = { ...given, signal: AbortSignal.any([signal, late]) }
  signal.throwIfAborted()
  const driver = await loadDriver()
  try {
    await connectOnce(driver, connection, first, limits, use)
  } catch (error) {
    signal.throwIfAborted()
    const [second] = others
    const isFinal = error instanceof LoginRefusedError || error instanceof CertificateError
    if (second === undefined || isFinal || late.aborted) throw error
    await connectOnce(driver, connection, second, limits, use)
  }
}

/** What a login leaves behind, and who is told where it cannot. */
export interface Leaving {
  mark: Mark
  onFailure(error: Error): void
}

/**
 * Connects once and closes again, within `timeout` milliseconds. Resolves if the server speaks the Postgres protocol and
 * is ready: with a known password after logging in, without one on any answer but 57P03 (docs/internals/api.md, "Connecting").
 * Rejects otherwise, and as soon as the signal is aborted. With `leaving`, a login leaves a mark, if it can.
 *
 * @throws LoginRefusedError if the server is up but refuses the login; PasswordRefusedError if because of the password;
 * CertificateError if its certificate is not trusted
 */
export async function probe(
  connection: Connection,
  timeout: number,
  signal: AbortSignal,
  leaving?: Leaving,
): Promise<void> {
  await connect(connection, { timeout, signal }, async client => {
    if (leaving === undefined) return
    const leave = async () => {
      await client.query(ownSettings)
      await writeMark(client, leaving.mark)
    }
    await leave().catch(leaving.onFailure)
  })
}
