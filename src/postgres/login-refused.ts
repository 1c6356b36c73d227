/** The errors of a server, and of a refused login. */
import type pg from 'pg'

/** The server is running, but refuses this user, password or database. A retry would rarely help. */
export class LoginRefusedError extends Error {
  override name = 'LoginRefusedError'
}

/** The server refuses the password, or a user without one. */
export class PasswordRefusedError extends LoginRefusedError {
  override name = 'PasswordRefusedError'
}

/** Whether the server sent the error. Only its errors have a severity. */
export const isServerError = (error: unknown): error is pg.DatabaseError =>
  error instanceof Error && 'severity' in error

/** Whether the server itself refused the session. After any other error, it may not have been reached. */
export const isRefusedByServer = (error: unknown): error is Error =>
  error instanceof LoginRefusedError || isServerError(error)
