/** A masking and its result, as the rest of the action sees them. */
import type { Block } from '#base/report'
import type { MaskingStamp } from '../notes/masking-stamp.ts'
import type { SqlFile } from '../sql/sql-error.ts'

/** How a database is to be masked. */
export interface MaskTask extends Omit<MaskingStamp, 'file' | 'catalog'> {
  rules: SqlFile
  /** Told how far it has come. */
  onProgress(line: string): void
}

/** The columns that were masked and the places that were searched; no value of the database is in it. */
export interface Masking {
  /** In one line. */
  summary: string
  report: Block[]
}

/** The result of a dry run: columns and tables that the file masks, and tables whose rows were not tried. */
export interface RulesCheck {
  columns: number
  tables: number
  untried: number
}
