import type { SourcePlace } from '#base/errors'

/** The log of operations. Every line goes through the single writer of src/action. */
export interface Log {
  info(line: string): void
  /** For information that the user should see at a glance. */
  notice(line: string): void
  /** `about` is a short constant text: the title of GitHub's annotation. `place` is its position in a file. */
  warning(line: string, about?: string, place?: SourcePlace): void
  debug(line: string): void
}
