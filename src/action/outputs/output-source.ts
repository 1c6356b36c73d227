// The source of outputs.

import type { Outcome } from '#operations/base/outcome'

export interface OutputSource {
  outcome: Outcome
  login: { user: string; database: string; sslmode: string }
  sealSecret?: string | undefined
  /** Removes the secrets of this run from a JSON value. */
  redact?(value: unknown): unknown
  /** Whether a text contains a secret of this run that is too long for a coincidence. */
  isSecret?(text: string): boolean
}
