/** Renders the UPDATE that masks the rows of a table. */
import { quoteName } from '#postgres/sql'
import { rowsOf } from '../plan/catalog.ts'
import { type MaskedColumn, maskedColumns, type PlannedColumn, type PlannedTable } from '../plan/plan.ts'
import { maskedValue, rowOf } from '../plan/rules.ts'
import { isCounted } from './progress.ts'

/** The columns whose values determine the shift of the dates in a row. */
export const datesOf = (columns: readonly PlannedColumn[]) =>
  columns.flatMap(({ name, rule }) => (rule?.kind === 'date' ? [name] : []))

/** The FROM and WHERE that give each row the value of another row. Each value goes to exactly one row. */
function renderShuffle(table: PlannedTable, columns: MaskedColumn[]): string {
  const from = rowsOf(table)
  const others = columns.map(
    ({ name }, at) => `, (select ${quoteName(name)} as shuffled_value_${at},
      row_number() over (order by random()) as shuffled_number_${at} from ${from}) as shuffled_${at}`,
  )
  const sameNumber = columns.map((_, at) => ` and shuffled_number_${at} = own_number`)
  return `from (select tableoid as own_table, ctid as own_row, row_number() over () as own_number from ${from}) as numbered
    ${others.join('')} where target.tableoid = own_table and target.ctid = own_row${sameNumber.join('')}`
}

export function updateOf(table: PlannedTable): string {
  const columns = maskedColumns(table)
  const shuffled = columns.filter(({ rule }) => rule.kind === 'shuffle')
  const dates = datesOf(columns)
  const values = columns.map(column => {
    const at = shuffled.indexOf(column)
    return `${quoteName(column.name)} = ${at < 0 ? maskedValue(column, column.rule, dates) : `shuffled_value_${at}`}`
  })
  const filled = columns.map(({ name }) => `${quoteName(name)} is not null`).join(' or ')
  const isNullKept = columns.every(({ rule }) => rowOf(rule.kind).keepsNull)
  const whereFilled = `where ${isNullKept ? `(${filled})` : 'true'}`
  const rows = shuffled.length > 0 ? renderShuffle(table, shuffled) : whereFilled
  return `update ${rowsOf(table)} as target set ${values.join(', ')} ${rows} and ${isCounted}`
}
