/** Hashes the sources of the bundle. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'rolldown/utils'

/** The file of dist with the hashes of its sources. */
export const hashesFile = 'sources.json'

/** The SHA-256 of the JavaScript in each source of the action, by its path below `src`: types do not reach dist. */
export function hashSources(root: string): Record<string, string> {
  const src = join(root, 'src')
  const paths = globSync('**/*.ts', { cwd: src, exclude: ['**/*.d.ts'] })
  const hashOf = (path: string) => {
    const { code } = transformSync(path, readFileSync(join(src, path), 'utf8'))
    return createHash('sha256').update(code).digest('hex')
  }
  return Object.fromEntries(paths.sort().map(path => [path.replaceAll('\\', '/'), hashOf(path)]))
}
