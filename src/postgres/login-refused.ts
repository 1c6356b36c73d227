/** The server is up, but refuses this user, password or database: trying again is of little use. */
export class LoginRefusedError extends Error {
  override name = 'LoginRefusedError'
}

/** The server refuses the password, or a user without one. */
export class PasswordRefusedError extends LoginRefusedError {
  override name = 'PasswordRefusedError'
}
