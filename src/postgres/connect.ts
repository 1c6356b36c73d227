/** Connects to a database, with limits for time and size. */
import { Socket } from 'node:net'
import type pg from 'pg'
import { checkAnswers } from './checked-answers.ts'
import type { Connection } from './connection.ts'
import { isServerError, LoginRefusedError, PasswordRefusedError } from './login-refused.ts'
import { ownSettings } from './own-settings.ts'
import { CertificateError, explainCertificate, type Tls, tlsOptions } from './tls.ts'
import { writeUsageMarker } from './usage-marker.ts'

/** The server answers, but is still starting (PostgreSQL documentation, appendix A). */
const cannotConnectNow = '57P03'

/** The password is wrong, or the user does not exist; a server does not distinguish them (same appendix). */
const invalidPassword = '28P01'

/** The server asked for a password, so it is running. This step knows no password. */
class PasswordAskedError extends Error {
  override name = 'PasswordAskedError'
}

/** Whether an error came from a running server that speaks the PostgreSQL protocol. */
const isAnswer = (error: unknown) =>
  error instanceof PasswordAskedError || (isServerError(error) && error.code !== cannotConnectNow)

/** Class 28 is authorization; 3D000 is a missing database (PostgreSQL documentation, appendix A). */
const isRefusal = (error: unknown): error is pg.DatabaseError =>
  isServerError(error) && /^28|^3D000$/.test(error.code ?? '')

function toLoginError(error: pg.DatabaseError): LoginRefusedError {
  const Refused = error.code === invalidPassword ? PasswordRefusedError : LoginRefusedError
  return new Refused(error.message, { cause: error })
}

/** Milliseconds for the server to close the connection after the last message. */
const closeTimeout = 1000

/** The message for a slow connection. Without a limit, pg would wait forever for a silent server. */
function renderTimeout(socket: Socket, timeout: number): string {
  return `no ${socket.connecting ? 'connection' : 'answer'} within ${Number((timeout / 1000).toPrecision(2))} s`
}

export interface ConnectionLimits {
  /** Milliseconds in total, including the connection. */
  timeout: number
  signal: AbortSignal
  /** Upper limit for bytes from the server, which may announce a message of 1 GB. Default: 1 MiB. */
  mostBytes?: number
}

/** Called with a client after its login; not called if the login fails. */
type Use = (client: pg.Client) => Promise<void>

/** Hides PGOPTIONS of the job from pg, which would send its options: poolers refuse these (PgBouncer before 1.20). */
function newClient(Client: typeof pg.Client, config: pg.ClientConfig): pg.Client {
  const { PGOPTIONS } = process.env
  delete process.env.PGOPTIONS
  try {
    return new Client(config)
  } finally {
    if (PGOPTIONS !== undefined) process.env.PGOPTIONS = PGOPTIONS
  }
}

/** The driver would wait forever for a socket that Node.js refuses to open. */
function assertPort({ port }: Connection): void {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`${port} is not a port`)
}

async function connectOnce(
  Client: typeof pg.Client,
  connection: Connection,
  ssl: Tls,
  { timeout, signal, mostBytes }: ConnectionLimits,
  use: Use,
): Promise<void> {
  const { host, port, user, database, password } = connection
  const socket = new Socket()
  const client = newClient(Client, {
    host,
    port,
    user,
    database,
    // Without a password the login stops here: with an empty one it would fail, and failed logins fill logs and lock
    // accounts.
    password: password || (() => Promise.reject(new PasswordAskedError())),
    application_name: 'managed-database-action',
    ssl,
    stream: () => socket,
  })
  // Without a listener, an `error` event ends the process, such as after a connection reset.
  client.on('error', () => {})
  socket.on('error', () => {})
  checkAnswers(client, mostBytes)
  const destroySocket = () => socket.destroy(new Error(renderTimeout(socket, timeout)))
  signal.addEventListener('abort', destroySocket)
  try {
    await client.connect()
    await use(client)
  } catch (error) {
    if (password === '' && error instanceof PasswordAskedError)
      throw new PasswordRefusedError('it requires a password, and none is set', { cause: error })
    if (password !== undefined || !isAnswer(error))
      throw isRefusal(error) ? toLoginError(error) : explainCertificate(connection, error)
  } finally {
    const closeTimer = setTimeout(destroySocket, closeTimeout)
    await client.end().catch(() => {})
    clearTimeout(closeTimer)
    signal.removeEventListener('abort', destroySocket)
  }
}

/**
 * Logs in, runs `use` and disconnects, all within the limits. Rejects as soon as the signal is aborted. If `sslmode`
 * allows a connection without TLS, most failures lead to a second attempt without TLS, so `use` may run twice.
 * @throws like `probe`; the error of `use`
 */
export async function connect(connection: Connection, limits: ConnectionLimits, use: Use): Promise<void> {
  const { timeout, signal } = limits
  assertPort(connection)
  const [first = false, second] = tlsOptions(connection)
  const timeLimit = AbortSignal.timeout(Math.ceil(timeout))
  const bothLimits = { ...limits, signal: AbortSignal.any([signal, timeLimit]) }
  signal.throwIfAborted()
  // Most steps connect to no database, so they do not load the driver.
  const { Client } = (await import('pg')).default
  try {
    await connectOnce(Client, connection, first, bothLimits, use)
  } catch (error) {
    signal.throwIfAborted()
    const isFinal = error instanceof LoginRefusedError || error instanceof CertificateError
    if (second === undefined || isFinal || timeLimit.aborted) throw error
    await connectOnce(Client, connection, second, bothLimits, use)
  }
}

/**
 * Connects once and disconnects, within `timeout` milliseconds. Resolves if a server that speaks the
 * PostgreSQL protocol is ready (docs/internals/api.md, "Connecting"): with a password after the login,
 * without one on any answer but 57P03. Rejects otherwise, and as soon as the signal is aborted.
 * @param onUnmarked if given, a login also writes the usage marker, and calls this function if that fails
 * @throws LoginRefusedError if the server refuses the login; PasswordRefusedError if it refuses the password;
 * CertificateError if its certificate is not trusted
 */
export async function probe(
  connection: Connection,
  timeout: number,
  signal: AbortSignal,
  onUnmarked?: (error: Error) => void,
) {
  await connect(connection, { timeout, signal }, async client => {
    if (onUnmarked === undefined) return
    const write = async () => {
      await client.query(ownSettings)
      await writeUsageMarker(client)
    }
    await write().catch(onUnmarked)
  })
}
