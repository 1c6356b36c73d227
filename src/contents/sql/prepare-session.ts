import type { Session } from '#postgres/session'

/** Milliseconds; the database's own limits hold where one is left out. */
export interface Limits {
  statementTimeout?: number | undefined
  lockTimeout?: number | undefined
}

/**
 * Sets the limits of a session. Its server also looks whether anybody still listens while a statement runs: closing the
 * connection then ends the statement. Some servers cannot (before PostgreSQL 14, on Windows), and go on.
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
