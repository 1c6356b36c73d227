/** The server is up, but refuses this user, password or database: trying again is of little use. */
export class LoginRefusedError extends Error {
  override name = 'LoginRefusedError'
}

/** The server refuses the password, or a user without one. */
export class PasswordRefusedError extends LoginRefusedError {
  override name = 'PasswordRefusedError'
}

/** Whether the server itself says why it does not let us in; otherwise it may not have been reached. */
export const isRefused = (error: unknown): error is Error =>
  error instanceof LoginRefusedError || (error instanceof Error && 'severity' in error)
