/** Finds the constraints, indexes and triggers that are dropped while rows change, and restored afterwards. */
import type { ForeignKey } from '../plan/catalog.ts'
import { quoteName } from '../plan/expressions.ts'
import type { Plan } from '../plan/planned.ts'
import { meetsOthers, type Rule } from '../plan/rules.ts'
import { findDropped, findMasked, maskedColumns } from './update.ts'

function changesOf(plan: Plan) {
  const dropped = new Set(findDropped(plan).map(({ id }) => id))
  const masked = new Map(findMasked(plan).map(table => [table.id, maskedColumns(table)]))
  return {
    changes: (id: string) => dropped.has(id) || masked.has(id),
    changesColumns: (id: string, columns: string[]) =>
      dropped.has(id) || masked.get(id)?.some(({ name }) => columns.includes(name)) === true,
    fits: (id: string, columns: string[], isFitting: (rule: Rule) => boolean) =>
      masked.get(id)?.some(({ name, rule }) => columns.includes(name) && isFitting(rule)) === true,
  }
}

export function touchedKeys(plan: Plan): ForeignKey[] {
  const { changesColumns } = changesOf(plan)
  return plan.foreignKeys.filter(
    key => changesColumns(key.table, key.columns) || changesColumns(key.target, key.targetColumns),
  )
}

/** Constraints, indexes and triggers that would refuse or react to changed rows, in the order in which masking drops them. */
export function findObstacles(plan: Plan): { lift: string; restore: string }[] {
  const { changes, fits } = changesOf(plan)
  const keys = touchedKeys(plan).map(({ relation, name, definition }) => ({
    lift: `alter table ${relation} drop constraint ${quoteName(name)}`,
    restore: `alter table ${relation} add constraint ${quoteName(name)} ${definition}`,
  }))
  const uniques = plan.uniques.flatMap(({ table, columns, lift, restore }) =>
    lift !== null && restore !== null && fits(table, columns, meetsOthers) ? [{ lift, restore }] : [],
  )
  const others = [...plan.obstacles, ...plan.notValid].filter(({ table }) => changes(table))
  return [...keys, ...uniques, ...others]
}
