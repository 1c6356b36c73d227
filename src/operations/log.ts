/** Where operations tell what they do; every line goes through the one writer of the action's edge. */
export interface Log {
  info(line: string): void
  /** For what the user should see at a glance, though nothing is wrong. */
  notice(line: string): void
  warning(line: string): void
  debug(line: string): void
}
