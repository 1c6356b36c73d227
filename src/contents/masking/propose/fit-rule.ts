/** Finds the best rule that the type and constraints of a column allow. */
import type { Column } from '../plan/catalog.ts'
import { findMisfit, keepsDistinct, type RuleKind } from '../plan/rules.ts'
import type { Evidence } from './facts.ts'

/** Rules that keep the format of a value, which most constraints accept. */
const keepsForm: readonly RuleKind[] = ['token', 'email', 'ip', 'ip6', 'location', 'date', 'json', 'keep']

/** The replacement of a rule for unique columns. */
export const distinctFor = (wanted: RuleKind): RuleKind =>
  wanted === 'keep' || wanted === 'email' ? wanted : wanted === 'ip' ? 'ip6' : 'token'

/** Returns the first rule that the column allows: the preferred one, its unique replacement, `null`, `keep`. */
export function fitRule(
  column: Column,
  { isUnique, hasCheck, isListed }: Pick<Evidence, 'isUnique' | 'hasCheck' | 'isListed'>,
  wanted: RuleKind,
): RuleKind {
  const suits = (kind: RuleKind) =>
    findMisfit(column, { kind }) === undefined &&
    (!isUnique || (keepsDistinct(kind, column.length) && kind !== 'null')) &&
    (!hasCheck || isListed || keepsForm.includes(kind)) &&
    !(kind === 'null' && column.notNull)
  const order: RuleKind[] =
    wanted === 'null' ? ['null', 'fixed'] : [wanted, distinctFor(wanted), 'token', 'null']
  return order.find(suits) ?? 'keep'
}
