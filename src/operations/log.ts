/** Where operations tell what they do; every line goes through the one writer of the action's edge. */
export interface Log {
  info(line: string): void
  /** For what the user should see at a glance, though nothing is wrong. */
  notice(line: string): void
  /** `about`: what it is about, in a few words of ours, for the heading of the annotation that GitHub makes of it. */
  warning(line: string, about?: string): void
  debug(line: string): void
}
