import type { SqlFile } from '#contents/sql/sql-error'
import { type Session, StatementError } from '#postgres/session'
import { rowsOf, tableName } from '../plan/catalog.ts'
import { quoteName } from '../plan/expressions.ts'
import { MaskFileError, type Problem } from '../plan/mask-file.ts'
import { isMasked, type Plan, type PlannedColumn, type PlannedTable } from '../plan/planned.ts'
import { keepsNull, maskedValue, type Rule } from '../plan/rules.ts'
import { isCounted } from './progress.ts'
import { describeRefusal } from './work.ts'

type Ruled = PlannedColumn & { rule: Rule }

/** The columns of a table that get other values. */
export const maskedColumns = (table: PlannedTable): Ruled[] =>
  table.columns.flatMap(column => (column.rule && isMasked(column) ? [{ ...column, rule: column.rule }] : []))

/** Tables whose rows get other values. */
export const findMasked = ({ tables }: Plan): PlannedTable[] =>
  tables.filter(table => !table.dropRows && table.kind === 'table' && maskedColumns(table).length > 0)

/** Tables whose rows are dropped. */
export const findDropped = ({ tables }: Plan): PlannedTable[] =>
  tables.filter(({ dropRows, kind }) => dropRows && kind === 'table')

/** The columns whose values decide by how many days the dates of a row move. */
const datesOf = (columns: readonly PlannedColumn[]) =>
  columns.flatMap(({ name, rule }) => (rule?.kind === 'date' ? [name] : []))

/** Gives each row the value of another one, each value to one row. */
function shuffling(table: PlannedTable, columns: Ruled[]): string {
  const from = rowsOf(table)
  const others = columns.map(
    ({ name }, at) => `, (select ${quoteName(name)} as shuffled_value_${at},
      row_number() over (order by random()) as shuffled_number_${at} from ${from}) as shuffled_${at}`,
  )
  const sameNumber = columns.map((_, at) => ` and shuffled_number_${at} = own_number`)
  return `from (select tableoid as own_table, ctid as own_row, row_number() over () as own_number from ${from}) as numbered
    ${others.join('')} where target.tableoid = own_table and target.ctid = own_row${sameNumber.join('')}`
}

/** One statement for all columns of a table. */
export function updateOf(table: PlannedTable): string {
  const columns = maskedColumns(table)
  const shuffled = columns.filter(({ rule }) => rule.kind === 'shuffle')
  const dates = datesOf(columns)
  const values = columns.map(column => {
    const at = shuffled.indexOf(column)
    return `${quoteName(column.name)} = ${at < 0 ? maskedValue(column, column.rule, dates) : `shuffled_value_${at}`}`
  })
  const filled = columns.map(({ name }) => `${quoteName(name)} is not null`).join(' or ')
  const which =
    shuffled.length > 0
      ? shuffling(table, shuffled)
      : `where ${columns.every(({ rule }) => keepsNull(rule)) ? `(${filled})` : 'true'}`
  return `update ${rowsOf(table)} as target set ${values.join(', ')} ${which} and ${isCounted}`
}

/** Rows that are masked to try the rules. */
const mostTried = 1000

/** The reason why the server refuses the chosen rules for some rows of a table; undefined if it takes them. */
async function refusalOf(
  session: Session,
  table: PlannedTable,
  isTried: (column: PlannedColumn) => boolean,
): Promise<string | undefined> {
  const own = table.columns.filter(({ isGenerated }) => !isGenerated)
  const names = own.map(({ name }) => quoteName(name)).join()
  const values = own.map(column =>
    maskedValue(column, (isTried(column) && column.rule) || { kind: 'keep' }, datesOf(own)),
  )
  try {
    await session.query('begin')
    await session.query(
      `create temp table tried (like ${quoteName(table.schema)}.${quoteName(table.name)}
         including constraints including defaults including generated including indexes) on commit drop`,
    )
    await session.query(
      `insert into pg_temp.tried (${names}) select ${values.join()} from ${rowsOf(table)} as target limit ${mostTried}`,
    )
    return undefined
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    return describeRefusal(error)
  } finally {
    await session.attempt('rollback')
  }
}

/** Tries all rules of a table together, and each by itself if these fail. */
async function tryTable(session: Session, table: PlannedTable): Promise<Problem[]> {
  const together = await refusalOf(session, table, () => true)
  if (together === undefined) return []
  const problems: Problem[] = []
  for (const { name, place } of maskedColumns(table)) {
    const refusal = await refusalOf(session, table, column => column.name === name)
    if (refusal !== undefined)
      problems.push({ place, what: `the rule for ${tableName(table)}.${name} fails: ${refusal}` })
  }
  return problems.length > 0
    ? problems
    : [{ place: table.place, what: `the rules for ${tableName(table)} fail together: ${together}` }]
}

/**
 * Masks some rows of each table into a temporary one with the same constraints, which is gone at once: what a constraint, a
 * type or an expression refuses is known before anything is changed.
 *
 * @throws MaskFileError naming each rule that fails
 */
export async function tryRules(session: Session, plan: Plan, file: SqlFile): Promise<void> {
  const problems: Problem[] = []
  for (const table of findMasked(plan)) problems.push(...(await tryTable(session, table)))
  const lineOf = ({ place }: Problem) => place?.line ?? 0
  const inOrder = problems.toSorted((one, other) => lineOf(one) - lineOf(other))
  if (problems.length > 0)
    throw new MaskFileError(file, inOrder, 'correct these rules, or the parent; the copy is not to be used')
}
