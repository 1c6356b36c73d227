/** Finds rules that would fail during masking or break a constraint. */
import { type ForeignKey, tableName, type Unique } from './catalog.ts'
import type { Problem } from './mask-file.ts'
import { isMasked, isRuled, type Plan, type PlannedColumn, type PlannedTable } from './plan.ts'
import { findMisfit, keepsDistinct, keepsKeys, kinds, maskedLength, type RuleKind } from './rules.ts'

const kindsForKeys = kinds.filter(keepsKeys)

/** @param place of a column's rule; undefined for a column without one */
const createProblem = (table: PlannedTable, place: Problem['place'], text: string): Problem => ({
  place,
  table: table.id,
  message: `${tableName(table)}${text}`,
})

const kindOf = (column: PlannedColumn | undefined): RuleKind => column?.rule?.kind ?? 'keep'

/** The reason why a rule cannot apply to a column. */
function findColumnConflict(table: PlannedTable, column: PlannedColumn): string | undefined {
  const { rule } = column
  if (rule === undefined || rule.kind === 'keep') return undefined
  if (column.isGenerated) return 'is computed from other columns: mask those'
  if (table.kind === 'large objects') return 'can only be kept, or dropped with drop_rows'
  if (column.isAlwaysIdentity)
    return 'is GENERATED ALWAYS AS IDENTITY, so the database refuses another value: keep it'
  if (column.decidesPart) return 'decides in which partition or chunk a row is: keep it'
  if (rule.kind === 'null' && column.notNull) return 'is NOT NULL: use another rule than null'
  if (rule.kind === 'shuffle' && table.isHypertable)
    return 'is in a hypertable, whose rows cannot change places: use another rule than shuffle'
  return findMisfit(column, rule)
}

/** The reasons why the rows of a table cannot be changed or dropped. */
function findTableConflicts(table: PlannedTable): string[] {
  const isChanged = table.dropRows || table.columns.some(isMasked)
  if (!isChanged && table.newerThan === null) return []
  if (!table.hasOwnerRights) return [`belongs to ${table.owner}, whose rights this login does not have`]
  if (!isChanged) return []
  if (table.elsewhere.length > 0 && !table.dropRows)
    return [`has rows that cannot be changed, in ${table.elsewhere.join(', ')}: only drop_rows is possible`]
  if (!table.hasRewriteRule) return []
  return ['has a rewrite rule for updates: drop it from the parent, or use a trigger']
}

/** Why old chunks of a table cannot be dropped. */
function findWindowConflicts({ foreignKeys }: Plan, table: PlannedTable): string[] {
  const { newerThan, agePrefix } = table
  if (newerThan === null) return []
  if (!table.isHypertable) return ['is not a hypertable: newer_than drops chunks. Remove newer_than']
  if (agePrefix === null)
    return ['has an integer time column: newer_than needs its integer_now function (set_integer_now_func)']
  const isNumber = /^\d+$/.test(newerThan)
  if (agePrefix === 'interval ' && isNumber) return ['needs a unit of time for newer_than, like 90 days']
  if (agePrefix !== 'interval ' && !isNumber)
    return ['has an integer time column: set newer_than to a number in its unit, without days']
  const keys = foreignKeys.filter(({ target }) => target === table.id)
  return keys.map(
    ({ relation, name }) => `is referenced by ${relation} (${name}): newer_than would break this foreign key`,
  )
}

/** The columns whose rules may break a unique constraint. A constraint is safe if a safe one covers a part of its columns. */
function findUniqueConflicts(table: PlannedTable, uniques: Unique[]): Problem[] {
  const columnOf = (name: string) => table.columns.find(column => column.name === name)
  const isSafe = (name: string, { isExclusion, nullsEqual }: Unique) => {
    const column = columnOf(name)
    const kind = kindOf(column)
    if (isExclusion) return kind === 'keep'
    return keepsDistinct(kind, column?.length ?? null) || (kind === 'null' && !nullsEqual)
  }
  const safe = uniques.filter(unique => unique.columns.every(name => isSafe(name, unique)))
  return uniques
    .filter(unique => !safe.some(({ columns }) => columns.every(name => unique.columns.includes(name))))
    .flatMap(unique => unique.columns.map(name => ({ name, unique })))
    .filter(({ name, unique }) => !isSafe(name, unique))
    .map(({ name, unique }) => {
      const column = columnOf(name)
      const [required, rules] = unique.isExclusion ? ['as it is', 'keep'] : ['unique', 'token or keep']
      const text = `.${name} must stay ${required} (${unique.name}): use ${rules} instead of ${kindOf(column)}`
      return createProblem(table, column?.place, text)
    })
}

/** True if both ends of a foreign key map equal values to equal values. */
function haveSameMapping(from: PlannedColumn, to: PlannedColumn): boolean {
  const kind = kindOf(from)
  if (kind !== kindOf(to) || !keepsKeys(kind)) return false
  if (kind === 'keep') return true
  if (kind === 'sql') return from.rule?.argument === to.rule?.argument
  return (
    from.ignoresCase === to.ignoresCase && maskedLength(kind, from.length) === maskedLength(kind, to.length)
  )
}

function findKeyConflicts(tables: Map<string, PlannedTable>, key: ForeignKey): Problem[] {
  const [table, target] = [tables.get(key.table), tables.get(key.target)]
  if (table === undefined || target === undefined || table.dropRows) return []
  const pairs = key.columns.map((name, index) => ({
    from: table.columns.find(column => column.name === name),
    to: target.columns.find(column => column.name === key.targetColumns[index]),
  }))
  const named = `.${key.columns.join(', ')} refers to ${tableName(target)} (${key.name})`
  const { place } = pairs[0]?.from ?? {}
  const nullCount = pairs.filter(({ from }) => kindOf(from) === 'null').length
  if (nullCount > 0) {
    // MATCH FULL refuses a row if only some columns of the key are null.
    const refusesPart = key.definition.includes(' MATCH FULL')
    const text = `${named} with MATCH FULL: use null for all of its columns, or for none`
    return refusesPart && nullCount < pairs.length ? [createProblem(table, place, text)] : []
  }
  if (target.dropRows) {
    const text = `${named}, whose rows are dropped: use null or drop_rows for it too`
    return [createProblem(table, place ?? table.place, text)]
  }
  if (pairs.every(({ from, to }) => from && to && haveSameMapping(from, to))) return []
  const text = `${named}: both ends need the same rule, one of ${kindsForKeys.join(', ')}`
  return [createProblem(table, place, text)]
}

/** All conflicts of a plan: of tables, then of columns, then of foreign keys. */
export function findConflicts(plan: Plan): Problem[] {
  const ruled = plan.tables.filter(isRuled)
  const tables = new Map(plan.tables.map(table => [table.id, table]))
  const uniques = Map.groupBy(plan.uniques, ({ table }) => table)
  return [
    ...ruled.flatMap(table =>
      [...findTableConflicts(table), ...findWindowConflicts(plan, table)].map(conflict =>
        createProblem(table, table.place, ` ${conflict}`),
      ),
    ),
    ...ruled.flatMap(table => {
      if (table.dropRows) return []
      const conflicts = table.columns.flatMap(column => {
        const conflict = findColumnConflict(table, column)
        return conflict ? [createProblem(table, column.place, `.${column.name} ${conflict}`)] : []
      })
      return [...conflicts, ...findUniqueConflicts(table, uniques.get(table.id) ?? [])]
    }),
    ...plan.foreignKeys.flatMap(key => findKeyConflicts(tables, key)),
  ]
}
