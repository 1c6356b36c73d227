/** Finds the best rule that the type and constraints of a column allow. */
import type { Column } from '../plan/catalog.ts'
import { findMisfit, keepsDistinct, type RuleKind } from '../plan/rules.ts'

export interface Limits {
  column: Column
  isUnique: boolean
  hasCheck: boolean
}

/** Rules that keep the format of a value, which most constraints accept. */
const keepsForm: readonly RuleKind[] = ['token', 'email', 'ip', 'ip6', 'location', 'date', 'json', 'keep']

/** The replacement of a rule for unique columns. */
export const distinctFor = (wanted: RuleKind): RuleKind =>
  wanted === 'keep' || wanted === 'email' ? wanted : wanted === 'ip' ? 'ip6' : 'token'

/** Returns the first rule that the column allows: the preferred one, its unique replacement, `null`, `keep`. */
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
