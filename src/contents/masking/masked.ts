import type { Block } from '../../base/report.ts'
import type { SqlFile } from '../sql/sql-error.ts'

/** What shows in a database that it was masked, and that its originals were searched for in vain. Forks inherit it. */
export interface MaskMark {
  /** The service of which it is a masked copy. */
  source: string
  /** When: milliseconds since 1970. */
  at: number
  /** The hash of the file of rules, as Git has it. */
  file: string
  /** The hash of the tables and columns that the rules were held against. */
  catalog: string
  /** The page of the run. */
  run: string
}

/** How a database is to be masked. */
export interface MaskTask extends Omit<MaskMark, 'file' | 'catalog'> {
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
