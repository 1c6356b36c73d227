/** Finds rules that would fail during masking or break a constraint. */
import { type ForeignKey, tableName, type Unique } from './catalog.ts'
import type { Problem } from './mask-file.ts'
import { isMasked, isRuled, type Plan, type PlannedColumn, type PlannedTable } from './planned.ts'
import { findMisfit, keepsDistinct, keepsKeys, kinds, lengthOf, type RuleKind } from './rules.ts'

const forKeys = kinds.filter(keepsKeys)

/** @param place of a column's rule; undefined for a column without one */
const problemIn = (table: PlannedTable, place: Problem['place'], what: string): Problem => ({
  place,
  table: table.id,
  what: `${tableName(table)}${what}`,
})

const kindOf = (column: PlannedColumn | undefined): RuleKind => column?.rule?.kind ?? 'keep'

function findObjection(table: PlannedTable, column: PlannedColumn): string | undefined {
  const { rule } = column
  if (rule === undefined || rule.kind === 'keep') return undefined
  if (column.isGenerated) return 'is computed from other columns: mask those'
  if (table.kind === 'large objects') return 'can only be kept, or dropped with drop_rows'
  if (column.isAlwaysIdentity) return 'is an identity that the database gives: keep it'
  if (column.decidesPart) return 'decides in which partition or chunk a row is: keep it'
  if (rule.kind === 'null' && column.notNull) return 'is NOT NULL: use another rule than null'
  if (rule.kind === 'shuffle' && table.isHypertable)
    return 'is in a hypertable, whose rows cannot change places: use another rule than shuffle'
  return findMisfit(column, rule)
}

function findHindrances(table: PlannedTable): string[] {
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
  const { newerThan, window } = table
  if (newerThan === null) return []
  if (!table.isHypertable) return ['is not a hypertable: newer_than drops chunks. Remove newer_than']
  if (window === null)
    return ['has an integer time column: newer_than needs its integer_now function (set_integer_now_func)']
  const isNumber = /^\d+$/.test(newerThan)
  if (window === 'interval ' && isNumber) return ['needs a unit of time for newer_than, like 90 days']
  if (window !== 'interval ' && !isNumber)
    return ['has an integer time column: set newer_than to a number in its unit, without days']
  const keys = foreignKeys.filter(({ target }) => target === table.id)
  return keys.map(
    ({ relation, name }) => `is referenced by ${relation} (${name}): newer_than would break this foreign key`,
  )
}

function findUniqueConflicts(table: PlannedTable, own: Unique[]): Problem[] {
  const columnOf = (name: string) => table.columns.find(column => column.name === name)
  const isSafe = (name: string, { isExclusion, nullsEqual }: Unique) => {
    const column = columnOf(name)
    const kind = kindOf(column)
    if (isExclusion) return kind === 'keep'
    return keepsDistinct(kind, column?.length ?? null) || (kind === 'null' && !nullsEqual)
  }
  const safe = own.filter(unique => unique.columns.every(name => isSafe(name, unique)))
  return own
    .filter(unique => !safe.some(({ columns }) => columns.every(name => unique.columns.includes(name))))
    .flatMap(unique => unique.columns.map(name => ({ name, unique })))
    .filter(({ name, unique }) => !isSafe(name, unique))
    .map(({ name, unique }) => {
      const [column, as] = [columnOf(name), unique.isExclusion ? 'as it is' : 'unique']
      const what = `.${name} must stay ${as} (${unique.name}): the rule ${kindOf(column)} does not guarantee that`
      return problemIn(table, column?.place, what)
    })
}

/** Both ends of a foreign key map equal values to equal values. */
function areAlike(from: PlannedColumn, to: PlannedColumn): boolean {
  const [one, other] = [kindOf(from), kindOf(to)]
  if (one !== other || !keepsKeys(one)) return false
  if (one === 'keep') return true
  if (one === 'sql') return from.rule?.argument === to.rule?.argument
  return from.ignoresCase === to.ignoresCase && lengthOf(one, from.length) === lengthOf(one, to.length)
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
  const isNull = pairs.map(({ from }) => kindOf(from) === 'null')
  if (isNull.includes(true)) {
    // MATCH FULL refuses a row if only some columns of the key are null.
    const refusesPart = key.definition.includes(' MATCH FULL')
    const what = `${named} with MATCH FULL: use null for all of its columns, or for none`
    return refusesPart && isNull.includes(false) ? [problemIn(table, place, what)] : []
  }
  if (target.dropRows) {
    const what = `${named}, whose rows are dropped: use null or drop_rows for it too`
    return [problemIn(table, place ?? table.place, what)]
  }
  if (pairs.every(({ from, to }) => from && to && areAlike(from, to))) return []
  const what = `${named}: both ends need the same rule, one of ${forKeys.join(', ')}`
  return [problemIn(table, place, what)]
}

export function findConflicts(plan: Plan): Problem[] {
  const ruled = plan.tables.filter(isRuled)
  const tables = new Map(plan.tables.map(table => [table.id, table]))
  const uniques = Map.groupBy(plan.uniques, ({ table }) => table)
  return [
    ...ruled.flatMap(table =>
      [...findHindrances(table), ...findWindowConflicts(plan, table)].map(what =>
        problemIn(table, table.place, ` ${what}`),
      ),
    ),
    ...ruled.flatMap(table => {
      if (table.dropRows) return []
      const objections = table.columns.flatMap(column => {
        const objection = findObjection(table, column)
        return objection ? [problemIn(table, column.place, `.${column.name} ${objection}`)] : []
      })
      return [...objections, ...findUniqueConflicts(table, uniques.get(table.id) ?? [])]
    }),
    ...plan.foreignKeys.flatMap(key => findKeyConflicts(tables, key)),
  ]
}
