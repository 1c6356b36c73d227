/** The plan: the catalog of a database with a rule for each of its columns, and the tables and columns that masking changes. */
import { type Catalog, type Column, columnName, type Table } from './catalog.ts'
import type { ColumnRule, TableRules } from './mask-file.ts'
import type { Rule } from './rules.ts'

export interface PlannedColumn extends Column {
  /** Undefined if the column is computed from others, or its type cannot contain text. */
  rule: Rule | undefined
  place: ColumnRule['place'] | undefined
}

export interface PlannedTable extends Omit<Table, 'columns'> {
  columns: PlannedColumn[]
  dropRows: boolean
  /** As in the rule `newer_than`; null if all chunks stay. */
  newerThan: string | null
  place: TableRules['place'] | undefined
}

export interface Plan extends Omit<Catalog, 'tables'> {
  tables: PlannedTable[]
}

export const isMasked = ({ rule }: PlannedColumn): boolean => rule !== undefined && rule.kind !== 'keep'

export const takesRules = ({ kind, extension }: Pick<Table, 'kind' | 'extension'>): boolean =>
  extension !== 'timescaledb' && (kind === 'table' || kind === 'large objects')

/** Rules for this table are required. A table of an extension, such as a queue, may have rules. */
export const needsRules = (table: Pick<Table, 'kind' | 'extension'>): boolean =>
  takesRules(table) && table.extension === null

export const isRuled = (table: PlannedTable): boolean =>
  needsRules(table) || (takesRules(table) && table.place !== undefined)

export type MaskedColumn = PlannedColumn & { rule: Rule }

export const maskedColumns = (table: PlannedTable): MaskedColumn[] =>
  table.columns.flatMap(column => (column.rule && isMasked(column) ? [{ ...column, rule: column.rule }] : []))

/** The names of the columns that fulfill a condition, for messages and reports. */
export const columnNames = (tables: PlannedTable[], fulfills: (column: PlannedColumn) => boolean): string[] =>
  tables.flatMap(table => table.columns.filter(fulfills).map(column => columnName(table, column)))

/** The tables with a masked column. */
export const findMasked = ({ tables }: Plan): PlannedTable[] =>
  tables.filter(table => !table.dropRows && table.kind === 'table' && maskedColumns(table).length > 0)

/** The tables whose rows are dropped. */
export const findDropped = ({ tables }: Plan): PlannedTable[] =>
  tables.filter(({ dropRows, kind }) => dropRows && kind === 'table')
