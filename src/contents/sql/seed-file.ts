/** A seed file: SQL that fills a new preview, with the hash of its text. */
import type { SqlFile } from './sql-error.ts'

export interface SeedFile extends SqlFile {
  hash: string
}
