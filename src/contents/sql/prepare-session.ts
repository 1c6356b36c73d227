/** Sets the time limits of a session. */
import type { Session } from '#postgres/session'

/** Milliseconds; without a value, the database's own limit applies. */
export interface Limits {
  statementTimeout?: number | undefined
  lockTimeout?: number | undefined
}

/**
 * Sets the limits of a session. While a statement runs, the server also checks the connection, so that closing it ends
 * the statement. Some servers cannot check it (before PostgreSQL 14, and on Windows); there the statement continues.
 */
export async function prepareSession(
  session: Session,
  { statementTimeout, lockTimeout }: Limits,
): Promise<void> {
  const limits = { statement_timeout: statementTimeout, lock_timeout: lockTimeout }
  for (const [name, time] of Object.entries(limits))
    if (time !== undefined) await session.query('select set_config($1, $2, false)', [name, `${time}ms`])
  await session.attempt("set client_connection_check_interval = '500ms'")
}
