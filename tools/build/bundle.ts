/**
 * Builds `dist/`, or with `--check` says whether the committed one is what a build gives, byte for byte.
 *
 * tsc comes first: ncc 0.45 cannot compile with TypeScript 7 itself. The bundle is not minified: whoever
 * hands keys to it should be able to read it, and minifying does not make it start faster.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = resolve(import.meta.dirname, '../..')
const compiled = join(root, 'build')
const committed = join(root, 'dist')

/** The runner starts it at the end of the job. By its name src/index.ts knows that it is not the step itself. */
const postEntry = "import './index.js'\n"

function run(program: string, ...parameters: string[]): void {
  const script = join(root, 'node_modules', program)
  execFileSync(process.execPath, [script, ...parameters], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function build(target: string): void {
  rmSync(compiled, { recursive: true, force: true })
  run('typescript/bin/tsc', '--project', 'tsconfig.build.json')
  const options = ['--license', 'licenses.txt', '--source-map', '--no-source-map-register', '--no-cache']
  run('@vercel/ncc/dist/ncc/cli.js', 'build', join(compiled, 'index.js'), '--out', target, ...options)
  writeFileSync(join(target, 'post.js'), postEntry)
}

function differences(one: string, other: string): string[] {
  const names = [...new Set([...readdirSync(one), ...readdirSync(other)])]
  const read = (folder: string, name: string) => {
    try {
      return readFileSync(join(folder, name)).toString('latin1')
    } catch {
      return undefined
    }
  }
  return names.filter(name => read(one, name) !== read(other, name))
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
// Inside the project: ncc writes the paths of the sources relative to it.
const fresh = mkdtempSync(join(root, 'node_modules', '.bundle-'))
try {
  build(fresh)
  const stale = values.check ? differences(fresh, committed) : []
  if (!values.check) {
    rmSync(committed, { recursive: true, force: true })
    mkdirSync(committed)
    cpSync(fresh, committed, { recursive: true })
  }
  if (stale.length > 0) {
    process.stderr.write(`dist is stale: ${stale.join(', ')} differ from a fresh build; run: npm run build\n`)
    process.exitCode = 1
  }
} finally {
  rmSync(fresh, { recursive: true, force: true })
}
