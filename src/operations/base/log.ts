import type { SourcePlace } from '#base/errors'

/** Where operations log. Every line goes through the single writer of src/action. */
export interface Log {
  info(line: string): void
  /** Nothing is wrong, but the user should see it at a glance. */
  notice(line: string): void
  /** `about` is a fixed short text: the heading of GitHub's annotation. `place` is where GitHub shows it in a change. */
  warning(line: string, about?: string, place?: SourcePlace): void
  debug(line: string): void
}
