/** The decisions of prune for tests. */
import type { Outcome } from '#operations/base/outcome'

/** One row of the result of prune. */
export interface DecisionRow {
  service_id: string
  verdict: string
  reason: string
}

/** Oldest preview first. */
export const decisionsOf = (outcome: Outcome | undefined): DecisionRow[] =>
  (outcome?.result ?? []) as DecisionRow[]
