/** Finds the constraints, indexes and triggers that are dropped or disabled while rows change, and restored afterwards. */
import { quoteName } from '#postgres/sql'
import type { ForeignKey } from '../plan/catalog.ts'
import { findDropped, findMasked, maskedColumns, type Plan } from '../plan/plan.ts'
import { rowOf } from '../plan/rules.ts'

/** The ids of the tables whose rows are dropped, and the masked columns of the others. */
const changesOf = (plan: Plan) => ({
  dropped: new Set(findDropped(plan).map(({ id }) => id)),
  masked: new Map(findMasked(plan).map(table => [table.id, maskedColumns(table)])),
})

/** The foreign keys with a changed column or with dropped rows at either end. */
export function findTouchedKeys(plan: Plan): ForeignKey[] {
  const { dropped, masked } = changesOf(plan)
  const isTouched = (id: string, columns: string[]) =>
    dropped.has(id) || masked.get(id)?.some(({ name }) => columns.includes(name))
  return plan.foreignKeys.filter(
    key => isTouched(key.table, key.columns) || isTouched(key.target, key.targetColumns),
  )
}

/** Constraints, indexes and triggers that would refuse or react to changed rows, in the order in which masking drops them. */
export function findObstacles(plan: Plan): { lift: string; restore: string }[] {
  const { dropped, masked } = changesOf(plan)
  const keys = findTouchedKeys(plan).map(({ relation, name, definition }) => ({
    lift: `alter table ${relation} drop constraint ${quoteName(name)}`,
    restore: `alter table ${relation} add constraint ${quoteName(name)} ${definition}`,
  }))
  const canCollide = (id: string, columns: string[]) =>
    masked.get(id)?.some(({ name, rule }) => columns.includes(name) && rowOf(rule.kind).canCollide)
  const uniques = plan.uniques.flatMap(({ table, columns, lift, restore }) =>
    lift && restore && canCollide(table, columns) ? [{ lift, restore }] : [],
  )
  const triggersAndChecks = [...plan.triggers, ...plan.notValid].filter(
    ({ table }) => dropped.has(table) || masked.has(table),
  )
  return [...keys, ...uniques, ...triggersAndChecks]
}
