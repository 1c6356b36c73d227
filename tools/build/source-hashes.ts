import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file of dist that says which sources it was built from. */
export const hashesFile = 'sources.json'

/** The SHA-256 of each file below a folder, by its path there. */
export function hashFolder(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = files.map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort()
  const hashOf = (path: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex')
  return Object.fromEntries(paths.map(path => [path.replaceAll('\\', '/'), hashOf(path)]))
}
