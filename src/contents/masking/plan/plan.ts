import { suggest, suggestionClause } from '#base/suggest'
import { type Catalog, type Table, tableName } from './catalog.ts'
import { findConflicts } from './conflicts.ts'
import { type MaskFile, MaskFileError, type Problem, type TableRules } from './mask-file.ts'
import { needsRules, type Plan, type PlannedTable, takesRules } from './planned.ts'

const fitsSchema = (pattern: string, schema: string) =>
  new RegExp(
    `^${pattern
      .split('*')
      .map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('.*')}$`,
    's',
  ).test(schema)

/** The rules that are for a table, those without a wildcard first. */
function findRules({ tables }: MaskFile, { schema, name }: Table): TableRules[] {
  const fitting = tables.filter(rules => rules.table === name && fitsSchema(rules.schema, schema))
  return fitting.sort((one, other) => Number(one.schema.includes('*')) - Number(other.schema.includes('*')))
}

/** The rules of a table and of those that it inherits from, its own first. */
function findAllRules(file: MaskFile, catalog: Catalog, table: Table): TableRules[] {
  const parent = catalog.tables.find(({ id }) => id === table.parent)
  return [...findRules(file, table), ...(parent ? findAllRules(file, catalog, parent) : [])]
}

function planTable(file: MaskFile, catalog: Catalog, table: Table): PlannedTable {
  const rules = takesRules(table) ? findAllRules(file, catalog, table) : []
  const columns = table.columns.map(column => {
    const found = rules.flatMap(({ columns }) => columns.filter(rule => rule.column === column.name))[0]
    return { ...column, rule: found?.rule, place: found?.place }
  })
  return { ...table, columns, dropRows: rules[0]?.dropRows === true, place: rules[0]?.place }
}

/** A rule without a table or column, which may have got another name: those that are meant, as `schema.table.column`. */
interface Idle extends Problem {
  meant?: string[]
}

/** A rule must be about something: it may have been renamed, and its new name be without a rule. */
function findIdle(file: MaskFile, { tables }: Catalog): Idle[] {
  const problems: Idle[] = []
  const ruled = tables.filter(takesRules)
  for (const rules of file.tables) {
    const named = tableName({ schema: rules.schema, name: rules.table })
    const fitting = tables.filter(table => findRules(file, table).includes(rules))
    const own = fitting.filter(takesRules)
    for (const table of fitting.filter(table => !takesRules(table))) {
      const why = table.keeper ? `belongs to ${table.keeper}` : `is a ${table.kind}`
      if (!rules.schema.includes('*'))
        problems.push({ place: rules.place, what: `${named} ${why}, and takes no rules` })
    }
    if (fitting.length === 0) {
      const names = ruled.map(tableName)
      const hint = suggestionClause(named, names)
      const meant = new Set(suggest(named, names))
      problems.push({
        place: rules.place,
        what: `there is no table ${named}${hint || ': remove its rules'}`,
        meant: ruled
          .filter(table => meant.has(tableName(table)))
          .flatMap(table => table.columns.map(({ name }) => `${tableName(table)}.${name}`)),
      })
    }
    for (const { column, place } of own.length > 0 ? rules.columns : []) {
      const names = own.flatMap(({ columns }) => columns.map(({ name }) => name))
      if (names.includes(column)) continue
      const hint = suggestionClause(column, names)
      problems.push({
        place,
        what: `${named} has no column ${column}${hint || ': remove the rule'}`,
        meant: own.flatMap(table => suggest(column, names).map(name => `${tableName(table)}.${name}`)),
      })
    }
  }
  return problems
}

/** Each column that can hold a text needs a rule: a new one must not be forgotten. */
const findUnlisted = (tables: PlannedTable[], meant: Set<string>): Problem[] =>
  tables
    .filter(table => needsRules(table) && !table.dropRows)
    // There may be none tonight and some tomorrow.
    .filter(({ kind, rows }) => kind !== 'large objects' || rows > 0)
    .flatMap(table =>
      table.columns
        .filter(({ rule, holdsText, isGenerated }) => rule === undefined && holdsText && !isGenerated)
        // A misspelt rule is one problem, not two.
        .filter(({ name }) => !meant.has(`${tableName(table)}.${name}`))
        .map(({ name, type }) => ({ what: `${tableName(table)}.${name} (${type}) has no rule` })),
    )

/**
 * Holds the rules of a file against what is in the database.
 *
 * @throws MaskFileError naming each column without a rule, each rule without a column, and all that could not be done
 */
export function planMasking(file: MaskFile, catalog: Catalog): Plan {
  const tables = catalog.tables.map(table => planTable(file, catalog, table))
  const plan = { ...catalog, tables }
  const idle = findIdle(file, catalog)
  const meant = new Set(idle.flatMap(({ meant = [] }) => meant))
  const problems = [...idle, ...findUnlisted(tables, meant), ...findConflicts(plan)]
  if (problems.length > 0)
    throw new MaskFileError(
      file.file,
      problems,
      'correct these rules. Run dry_run: true with database_url and without mask_file to print a complete file',
    )
  return plan
}
