/** Builds the rows of the decision: a rule, its confidence and its reason, and the condition for them. */
import type { RuleKind } from '../plan/rules.ts'
import type { Condition, Fact } from './facts.ts'

/** A person checks the uncertain decisions. */
export type Confidence = 'certain' | 'likely' | 'uncertain'

export interface Decision {
  /** The preferred rule. The limits of the column may require another one. */
  rule: RuleKind
  confidence: Confidence
  reason: string
}

export interface Row extends Decision {
  when: string
}

const rowsOf =
  (confidence: Confidence) =>
  <const When extends string = ''>(rule: RuleKind, reason: string, when?: When & Condition<When>): Row => ({
    confidence,
    rule,
    reason,
    when: when ?? '',
  })
export const certain = rowsOf('certain')
export const likely = rowsOf('likely')
export const uncertain = rowsOf('uncertain')

/** Rows that also require a type. */
export const forType = (type: Fact, rows: readonly Row[]): Row[] =>
  rows.map(({ when, ...rest }) => ({ ...rest, when: when === '' ? type : `${type} ${when}` }))
