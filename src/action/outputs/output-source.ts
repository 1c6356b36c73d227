// The source of outputs.

import type { Outcome } from '#operations/base/outcome'

/** The source of all outputs. */
export interface OutputSource {
  outcome: Outcome
  /** User, database and sslmode from the inputs. */
  login: { user: string; database: string; sslmode: string }
  /** The secret that seals `sealed_url`. */
  sealSecret?: string | undefined
  /** Removes the secrets of this run from a JSON value. */
  redact?(value: unknown): unknown
  /** Whether a text contains a secret of this run that is too long for a coincidence. */
  isSecret?(text: string): boolean
}
