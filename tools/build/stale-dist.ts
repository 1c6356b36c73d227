import { execFile } from 'node:child_process'
import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../..')

/** The bundle is not there, or was built from other sources. The message says what to do. */
export class DistError extends Error {
  override name = 'DistError'
}

/**
 * Checks in a second what `npm run check:dist` checks in ten: that the bundle was built from the sources as they
 * are. Its source map holds what the compiler made of them then; the versions of dependencies are not looked at.
 *
 * @throws DistError when it is missing or stale
 */
export async function checkDist(): Promise<void> {
  const bundled = await readBundledModules()
  const folder = await mkdtemp(join(tmpdir(), 'compiled-'))
  try {
    await compile(folder)
    const names = [...bundled.keys()]
    const fresh = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8').catch(() => '')))
    const stale = names.filter((name, index) => bundled.get(name) !== fresh[index])
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

/** The modules of src in the bundle by their path, as the compiler wrote them. */
async function readBundledModules(): Promise<Map<string, string>> {
  const dist = join(root, 'dist')
  try {
    for (const file of ['index.js', 'post.js']) await access(join(dist, file))
    const text = await readFile(join(dist, 'index.js.map'), 'utf8')
    const map = JSON.parse(text) as { sources: string[]; sourcesContent: string[] }
    const modules = map.sources.map((source, index): [string | undefined, string] => [
      /^[./]*\/build\/(.+)$/.exec(source)?.[1],
      map.sourcesContent[index] ?? '',
    ])
    return new Map(modules.filter((entry): entry is [string, string] => entry[0] !== undefined))
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
