import type { Outcome } from '#operations/base/outcome'

/** What outputs are made from. */
export interface OutputSource {
  outcome: Outcome
  /** User, database and sslmode of the inputs. */
  login: { user: string; database: string; sslmode: string }
  /** What `sealed_url` is sealed with. */
  sealSecret?: string | undefined
  /** Removes the secrets of this run from a JSON value. */
  redact?(value: unknown): unknown
  /** Whether a text holds a secret of this run that is too long to be there by chance. */
  isSecret?(text: string): boolean
}
