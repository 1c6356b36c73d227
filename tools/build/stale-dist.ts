import { execFile } from 'node:child_process'
import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { chunks } from './chunks.ts'
import { hashesFile, hashFolder } from './source-hashes.ts'

const root = resolve(import.meta.dirname, '../..')

/** The bundle is not there, or was built from other sources. The message says what to do. */
export class DistError extends Error {
  override name = 'DistError'
}

/**
 * Checks in a second what `npm run check:dist` checks in ten: that the bundle was built from the sources as they
 * are. Beside it lie hashes of what the compiler made of them then; the versions of dependencies are not looked at.
 *
 * @throws DistError when it is missing or stale
 */
export async function checkDist(): Promise<void> {
  const bundled = await readHashes()
  const folder = await mkdtemp(join(tmpdir(), 'compiled-'))
  try {
    await compile(folder)
    const fresh = hashFolder(folder)
    const names = new Set([...Object.keys(bundled), ...Object.keys(fresh)])
    const stale = [...names].filter(name => bundled[name] !== fresh[name])
    if (stale.length > 0) {
      const more = stale.length > 1 ? ` and ${stale.length - 1} more` : ''
      throw new DistError(
        `dist is stale, src/${sourceOf(stale[0])}${more} changed since: run "npm run build"`,
      )
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const sourceOf = (name = '') => name.replace(/\.js$/, '.ts')

/** Of the compiled modules that the bundle was built from, by their paths. */
async function readHashes(): Promise<Record<string, string>> {
  const dist = join(root, 'dist')
  try {
    const files = chunks.flatMap(({ file, late }) => [file, ...Object.keys(late ?? {})])
    for (const file of files) await access(join(dist, file))
    return JSON.parse(await readFile(join(dist, hashesFile), 'utf8')) as Record<string, string>
  } catch (cause) {
    throw new DistError('dist, the bundle of the action, is missing or incomplete: run "npm run build"', {
      cause,
    })
  }
}

/** Only writes the JavaScript: the types are the business of `npm run types`. */
async function compile(folder: string): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const args = ['--project', join(root, 'tsconfig.build.json'), '--outDir', folder, '--noCheck']
  const output = await promisify(execFile)(process.execPath, [compiler, ...args]).catch(error => error)
  const isCompiled = await access(join(folder, 'index.js')).then(
    () => true,
    () => false,
  )
  if (!isCompiled) throw new Error(`the compiler failed: ${output.stdout || output.message}`)
}
