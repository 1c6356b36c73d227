/** The task of masking and its result, as other modules use them. */
import type { Block } from '#base/report'
import type { MaskingStamp } from '../notes/masking-stamp.ts'
import type { SqlFile } from '../sql/sql-error.ts'

export interface MaskTask extends Omit<MaskingStamp, 'file' | 'catalog'> {
  rules: SqlFile
  onProgress(line: string): void
}

/** The masked columns and the searched places, without values of the database. */
export interface Masking {
  /** One line. */
  summary: string
  report: Block[]
}

/** The result of a dry run: masked columns and tables, and tables whose rows were not tried. */
export interface RulesCheck {
  columns: number
  tables: number
  untried: number
}
