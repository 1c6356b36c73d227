/** Hashes the sources of the bundle. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'rolldown/utils'

/** The file of dist with the hashes of its sources. */
export const hashesFile = 'sources.json'

/** The files below `src` that the code reads: the bundler copies them into `dist`. */
export const dataFiles = '**/*.yml'

/** The SHA-256 of the JavaScript or the data in each source of the action, by its path below `src`: types do not reach dist. */
export function hashSources(root: string): Record<string, string> {
  const src = join(root, 'src')
  const paths = globSync(['**/*.ts', dataFiles], { cwd: src, exclude: ['**/*.d.ts'] })
  const hashOf = (path: string) => {
    const text = readFileSync(join(src, path), 'utf8')
    const data = path.endsWith('.ts') ? transformSync(path, text).code : text
    return createHash('sha256').update(data).digest('hex')
  }
  return Object.fromEntries(paths.sort().map(path => [path.replaceAll('\\', '/'), hashOf(path)]))
}
