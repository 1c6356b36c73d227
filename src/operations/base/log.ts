/** Where operations log. Every line goes through the single writer of src/action. */
export interface Log {
  info(line: string): void
  /** Nothing is wrong, but the user should see it at a glance. */
  notice(line: string): void
  /** `about` is a fixed short text: the heading of GitHub's annotation. */
  warning(line: string, about?: string): void
  debug(line: string): void
}
