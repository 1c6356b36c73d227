/** Hashes the sources of the bundle, and detects a stale one. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { transformSync } from 'rolldown/utils'

/** The files of `dist/`, by the entry that ncc bundles. Packages that few steps need are not read by the others. */
export const entries = {
  'run.js': 'build/run.js',
  'index.js': 'build/index.js',
  'post.js': 'build/post-entry.js',
  'llhttp.js': 'tools/build/llhttp.cjs',
  'octokit.js': 'node_modules/@actions/github/lib/github.js',
  'no-network.js': 'tools/build/no-network.cjs',
  'pg.js': 'tools/build/pg.cjs',
  'yaml.js': 'tools/build/yaml-parser.js',
}

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

const ownRoot = resolve(import.meta.dirname, '../..')

/**
 * Checks in a tenth of a second the main part of `npm run check:dist`, which takes ten: that the bundle was built from
 * the present sources. Compares hashes stored beside the bundle; versions of dependencies are not compared.
 * @param root the folder of the project; by default the one of this file
 * @throws Error when the bundle is missing or stale, with an instruction
 */
export async function checkDist(root = ownRoot): Promise<void> {
  const bundled = await readHashes(root)
  const fresh = hashSources(root)
  const names = new Set([...Object.keys(bundled), ...Object.keys(fresh)])
  const stale = [...names].filter(name => bundled[name] !== fresh[name])
  if (stale.length === 0) return
  const more = stale.length > 1 ? ` and ${stale.length - 1} more` : ''
  throw new Error(`dist is stale, src/${stale[0]}${more} changed since: run "npm run build"`)
}

/** The hashes of the sources that the bundle was built from, by their paths. */
async function readHashes(root: string): Promise<Record<string, string>> {
  const dist = join(root, 'dist')
  try {
    for (const file of Object.keys(entries)) await access(join(dist, file))
    return JSON.parse(await readFile(join(dist, hashesFile), 'utf8')) as Record<string, string>
  } catch (cause) {
    throw new Error('dist, the bundle of the action, is missing or incomplete: run "npm run build"', {
      cause,
    })
  }
}
