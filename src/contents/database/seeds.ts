import { createHash } from 'node:crypto'
import { readSqlFiles } from '../sql/read-files.ts'
import { parseScripts } from '../sql/scripts.ts'
import type { SeedFile } from '../sql/seed-file.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Reads the files of `seed_file`, before anything is made.
 *
 * @throws SqlFileError where a pattern fits none; SqlError for what no step can run
 */
export function readSeeds(workspace: string, patterns: string[]): SeedFile[] {
  const files = readSqlFiles(workspace, patterns, 'seed_file')
  parseScripts(files, { transaction: true })
  return files.map(file => ({ ...file, hash: hashOf(file.text) }))
}
