import type { SqlFile } from './sql-error.ts'

/** A file of SQL that fills a new preview, and the hash of its text. */
export interface SeedFile extends SqlFile {
  hash: string
}
