import pg from 'pg'
import type { Connection } from './connection.ts'
import { LoginRefusedError, PasswordRefusedError } from './login-refused.ts'

/** The server answers, but is still starting up (PostgreSQL documentation, appendix A). */
const cannotConnectNow = '57P03'

/** The password is wrong, or there is no such user, which a server does not tell apart (the same appendix). */
const invalidPassword = '28P01'

type Tls = boolean | { rejectUnauthorized: boolean; checkServerIdentity?: () => undefined }

/** The ways to try, one after the other: `prefer` and `allow` also do without TLS (PostgreSQL documentation, 34.19). */
function tlsOptions(sslmode: string): Tls[] {
  if (sslmode === 'disable') return [false]
  if (sslmode === 'verify-full') return [{ rejectUnauthorized: true }]
  if (sslmode === 'verify-ca') return [{ rejectUnauthorized: true, checkServerIdentity: () => undefined }]
  const encrypted = { rejectUnauthorized: false }
  return sslmode === 'require' ? [encrypted] : [encrypted, false]
}

/** The server asked for a password that nobody knows here: so it is up. */
class PasswordAskedError extends Error {
  override name = 'PasswordAskedError'
}

/** Whether an error came from a server that speaks the Postgres protocol and is up. */
function isAnswer(error: unknown): boolean {
  if (error instanceof PasswordAskedError) return true
  return error instanceof pg.DatabaseError && error.code !== cannotConnectNow
}

/** Class 28 is authorization; 3D000 a database that does not exist (PostgreSQL documentation, appendix A). */
function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^28|^3D000$/.test(error.code ?? '')
}

function refusal(error: pg.DatabaseError): LoginRefusedError {
  const Refused = error.code === invalidPassword ? PasswordRefusedError : LoginRefusedError
  return new Refused(error.message, { cause: error })
}

async function connectOnce(connection: Connection, ssl: Tls, timeout: number): Promise<void> {
  const { host, port, user, database, password } = connection
  const client = new pg.Client({
    host,
    port,
    user,
    database,
    // Never an empty or made-up password: failed logins fill logs and lock accounts.
    password: password ?? (() => Promise.reject(new PasswordAskedError())),
    // Said outright, because pg would otherwise heed the PGOPTIONS of the job.
    options: '-c application_name=managed-database-action',
    ssl,
    connectionTimeoutMillis: timeout,
  })
  // After the connection is made, a reset would be an event without a listener: a crash.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    if (password !== undefined || !isAnswer(error)) throw isRefusal(error) ? refusal(error) : error
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Connects once and closes again. Resolves when the server speaks the Postgres protocol and is ready: with a
 * known password after logging in, else with any answer but 57P03 (API.md). Rejects otherwise, with
 * `LoginRefusedError` where the server is up and wants none of it, `PasswordRefusedError` where that is for the password.
 */
export async function probe(connection: Connection, timeout: number): Promise<void> {
  const [first = false, ...others] = tlsOptions(connection.sslmode)
  try {
    await connectOnce(connection, first, timeout)
  } catch (error) {
    const [second] = others
    if (second === undefined || error instanceof LoginRefusedError) throw error
    await connectOnce(connection, second, timeout)
  }
}
