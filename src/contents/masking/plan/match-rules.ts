/** Matches the rules of a file with the tables of a database, and reports every gap and conflict. */
import { suggest, suggestionClause } from '#base/suggest'
import { type Catalog, columnName, type Table, tableName } from './catalog.ts'
import { findConflicts } from './conflicts.ts'
import type { MaskFile, Problem, TableRules } from './mask-file.ts'
import { needsRules, type Plan, type PlannedTable, takesRules } from './plan.ts'

function fitsSchema(pattern: string, schema: string): boolean {
  const escaped = pattern.replace(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*')
  return new RegExp(`^${escaped}$`, 's').test(schema)
}

/** The tables of the database and the rules of the file, to find by id or name. */
interface Lookup {
  /** By id. */
  tables: Map<string, Table>
  byName: Map<string, Table[]>
  rules: Map<string, TableRules[]>
}

const hasWildcard = ({ schema }: TableRules) => schema.includes('*')

/** The rules of a table before those of the tables that it inherits from, and exact names before wildcards. */
function findRules(lookup: Lookup, { schema, name, parent }: Table): TableRules[] {
  const fitting = (lookup.rules.get(name) ?? []).filter(rules => fitsSchema(rules.schema, schema))
  const above = lookup.tables.get(parent ?? '')
  return [
    ...fitting.sort((first, second) => Number(hasWildcard(first)) - Number(hasWildcard(second))),
    ...(above ? findRules(lookup, above) : []),
  ]
}

function planTable(lookup: Lookup, table: Table): PlannedTable {
  const rules = takesRules(table) ? findRules(lookup, table) : []
  const columns = table.columns.map(column => {
    const found = rules.flatMap(({ columns }) => columns.filter(rule => rule.column === column.name))[0]
    return { ...column, rule: found?.rule, place: found?.place }
  })
  const { dropRows = false, newerThan = null, place } = rules[0] ?? {}
  return { ...table, columns, dropRows, newerThan, place }
}

/** A rule without a table or column. */
interface UnmatchedRule extends Problem {
  /** The columns that its author may have meant, as `schema.table.column`. */
  suggested?: string[]
}

/** Only the first problems get a suggestion, because it compares the name with every table. */
const mostSuggested = 4

/** Every rule without `?` needs a table or column: a renamed column would otherwise lose its rule. */
function findUnmatchedRules(file: MaskFile, { tables, byName }: Lookup): UnmatchedRule[] {
  const problems: UnmatchedRule[] = []
  const ruled = [...tables.values()].filter(takesRules)
  const names = ruled.map(tableName)
  for (const { schema: pattern, table: name, place, isOptional, columns: rules } of file.tables) {
    const named = tableName({ schema: pattern, name })
    const fitting = (byName.get(name) ?? []).filter(({ schema }) => fitsSchema(pattern, schema))
    const own = fitting.filter(takesRules)
    for (const { kind, extension } of fitting.filter(table => !takesRules(table))) {
      const why = extension ? `belongs to ${extension}` : `is a ${kind}`
      if (!pattern.includes('*')) problems.push({ place, message: `${named} ${why}, and takes no rules` })
    }
    if (fitting.length === 0 && !isOptional) {
      const known = problems.length < mostSuggested ? names : []
      const suggestions = suggest(named, known)
      const suggestedTables = ruled.filter(table => suggestions.includes(tableName(table)))
      problems.push({
        place,
        message: `there is no table ${named}${suggestionClause(named, known) || ': remove its rules'}`,
        suggested: suggestedTables.flatMap(table => table.columns.map(column => columnName(table, column))),
      })
    }
    const columns = new Set(own.flatMap(table => table.columns.map(column => column.name)))
    for (const { column, place: rulePlace, isOptional: isOptionalColumn } of rules) {
      if (own.length === 0 || isOptionalColumn || columns.has(column)) continue
      problems.push({
        place: rulePlace,
        message: `${named} has no column ${column}${suggestionClause(column, columns) || ': remove the rule'}`,
        suggested: suggest(column, columns).flatMap(name => own.map(table => columnName(table, { name }))),
      })
    }
  }
  return problems
}

/** Every column that can contain text needs a rule, so that new columns are not forgotten. */
const findColumnsWithoutRule = (tables: PlannedTable[], suggested: Set<string>): Problem[] =>
  tables
    .filter(table => needsRules(table) && !table.dropRows)
    .flatMap(table =>
      table.columns
        .filter(({ rule, holdsText, isGenerated }) => rule === undefined && holdsText && !isGenerated)
        .map(column => ({ unruled: columnName(table, column), type: column.type }))
        // A misspelled rule is reported once, not also as a column without a rule.
        .filter(({ unruled }) => !suggested.has(unruled))
        .map(({ unruled, type }) => ({ message: `${unruled} (${type}) has no rule`, unruled })),
    )

/** Compares the rules of a file with a database: columns without a rule, rules without a column, and conflicts. */
export function findProblems(file: MaskFile, catalog: Catalog): { plan: Plan; problems: Problem[] } {
  const lookup: Lookup = {
    tables: new Map(catalog.tables.map(table => [table.id, table])),
    byName: Map.groupBy(catalog.tables, ({ name }) => name),
    rules: Map.groupBy(file.tables, ({ table }) => table),
  }
  const tables = catalog.tables.map(table => planTable(lookup, table))
  const plan = { ...catalog, tables }
  const unmatched = findUnmatchedRules(file, lookup)
  const suggested = new Set(unmatched.flatMap(({ suggested = [] }) => suggested))
  const withoutRule = findColumnsWithoutRule(tables, suggested)
  return { plan, problems: [...unmatched, ...withoutRule, ...findConflicts(plan)] }
}
