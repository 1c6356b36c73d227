/** The errors of a refused login. */

/** The server is running, but refuses this user, password or database. A retry would rarely help. */
export class LoginRefusedError extends Error {
  override name = 'LoginRefusedError'
}

/** The server refuses the password, or a user without one. */
export class PasswordRefusedError extends LoginRefusedError {
  override name = 'PasswordRefusedError'
}

/** Whether the server itself refused the session. After any other error, it may not have been reached. */
export const isRefusedByServer = (error: unknown): error is Error =>
  error instanceof LoginRefusedError || (error instanceof Error && 'severity' in error)
