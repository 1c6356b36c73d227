import type { Catalog, Column, Table } from './catalog.ts'
import type { ColumnRule, TableRules } from './mask-file.ts'
import type { Rule } from './rules.ts'

/** What becomes of a column, and why. */
export interface PlannedColumn extends Column {
  /** Undefined for what is kept since its type holds no text, or is computed from other columns. */
  rule: Rule | undefined
  place: ColumnRule['place'] | undefined
}

export interface PlannedTable extends Omit<Table, 'columns'> {
  columns: PlannedColumn[]
  dropRows: boolean
  place: TableRules['place'] | undefined
}

/** A catalog with the rule for each of its columns. */
export interface Plan extends Omit<Catalog, 'tables'> {
  tables: PlannedTable[]
}

/** Whether the values of the column change by its rule. */
export const isMasked = ({ rule }: PlannedColumn): boolean => rule !== undefined && rule.kind !== 'keep'

/** Whether rules for what is in the table are heeded. */
export const takesRules = ({ kind, keeper }: Pick<Table, 'kind' | 'keeper'>): boolean =>
  keeper !== 'timescaledb' && (kind === 'table' || kind === 'large objects')

/** Whether they are asked for: what an extension keeps, like a queue, may have rules and needs none. */
export const needsRules = (table: Pick<Table, 'kind' | 'keeper'>): boolean =>
  takesRules(table) && table.keeper === null

/** Whether there are any, or have to be. */
export const isRuled = (table: PlannedTable): boolean =>
  needsRules(table) || (takesRules(table) && table.place !== undefined)
