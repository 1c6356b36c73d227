/** Finds the rule that a column can have: the wanted one, or the next best. */
import type { Column } from '../plan/catalog.ts'
import { findMisfit, keepsDistinct, type RuleKind } from '../plan/rules.ts'

/** What limits the rules of a column. */
export interface Limits {
  column: Column
  isUnique: boolean
  /** A constraint checks the form of its values. */
  hasCheck: boolean
}

/** Rules that give values of the same form, so that most constraints accept them. */
const keepsForm: readonly RuleKind[] = ['token', 'email', 'ip', 'ip6', 'location', 'date', 'json', 'keep']

/** The rule that keeps different values different, in place of another one. */
export const distinctFor = (wanted: RuleKind): RuleKind =>
  wanted === 'keep' || wanted === 'email' ? wanted : wanted === 'ip' ? 'ip6' : 'token'

/** The first that the column can have: the wanted rule, one that keeps values different, `null`, `keep`. */
export function fitRule({ column, isUnique, hasCheck }: Limits, wanted: RuleKind): RuleKind {
  const suits = (kind: RuleKind) =>
    findMisfit(column, { kind }) === undefined &&
    (!isUnique || (keepsDistinct(kind, column.length) && kind !== 'null')) &&
    (!hasCheck || keepsForm.includes(kind)) &&
    !(kind === 'null' && column.notNull)
  const order: RuleKind[] = [
    wanted,
    ...(wanted === 'null' ? ['fixed' as const] : [distinctFor(wanted), 'token' as const, 'null' as const]),
  ]
  return order.find(suits) ?? 'keep'
}
