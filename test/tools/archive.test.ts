/** Tests the archive that a runner downloads. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { uncached } from '../support/uncached.ts'
import { useWorkbench } from '../support/workbench.ts'
import { useWorkspace } from '../support/workspace.ts'

// The download of a runner for each job: GitHub's archive of the repository, by .gitattributes.
const root = resolve(import.meta.dirname, '../..')
const git = (parameters: string[], environment: NodeJS.ProcessEnv = {}) =>
  execFileSync('git', parameters, {
    cwd: root,
    env: { ...process.env, ...environment },
    maxBuffer: 64 * 1024 * 1024,
  })

/** The files as they are now, also those that git does not know yet, as a tree of git; the index stays as it is. */
function treeOfFiles(): string {
  const own = { GIT_INDEX_FILE: join(folder, 'index') }
  try {
    git(['read-tree', 'HEAD'], own)
    git(['add', '--all'], own)
    return git(['write-tree'], own).toString().trim()
  } finally {
    rmSync(own.GIT_INDEX_FILE, { force: true })
  }
}

let archive: Buffer
/** The paths of all that is in it. */
let contents: string[]
const folder = useWorkspace().path
const bench = useWorkbench({ databases: 'invented', steps: 'process' })

beforeAll(() => {
  archive = git(['archive', '--worktree-attributes', treeOfFiles()])
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  contents = readdirSync(folder, { recursive: true, encoding: 'utf8' })
})

// 560 KiB while dist had 874 KB of code; it may have 900 KB, of which gzip leaves a third.
test('the archive has at most 568 KiB', () => {
  expect(gzipSync(archive).length).toBeLessThanOrEqual(568 * 1024)
})

test('a step and its post step run from the archive', async () => {
  const dist = join(folder, 'dist')
  const inputs = { operation: 'create-service', region_code: 'us-east-1', cleanup: 'always' }
  const { state, outputs } = await bench.runSuccessfully(inputs, { dist, environment: uncached })
  const end = await bench.runSuccessfully(inputs, { dist, entry: 'post', state, environment: uncached })
  expect(end.stdout).toContain(`service ${outputs.service_id} is deleted`)
})

test('the emulator runs from the archive', () => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const help = execFileSync(process.execPath, [join(folder, 'emulator/main.ts'), '--help'], {
    encoding: 'utf8',
    env: { ...process.env, ...uncached },
  })
  expect(help).toContain('--port')
})

test('the archive contains all programs of its actions', () => {
  const actions = contents.filter(path => /(^|\/)action\.yml$/.test(path))
  expect(actions).toContain('action.yml')
  for (const path of actions) {
    const { runs } = parse(readFileSync(join(folder, path), 'utf8')) as { runs: Record<string, unknown> }
    for (const started of [runs.main, runs.post].filter(name => typeof name === 'string'))
      expect(existsSync(join(folder, path, '..', started)), `${started} of ${path}`).toBe(true)
  }
  for (const name of ['LICENSE', 'README.md', 'dist/licenses.txt'])
    expect(existsSync(join(folder, name)), name).toBe(true)
  const licenses = readFileSync(join(folder, 'dist/licenses.txt'), 'utf8')
  for (const name of ['undici', 'llhttp', 'pg', 'zod', '@actions/core'])
    expect(licenses, name).toMatch(new RegExp(`^${name}\\b.*\\nMIT\\n`, 'm'))
})

test('text has the same bytes on every system, even if git would write CRLF', () => {
  const paths = ['README.md', 'action.yml', 'docs/openapi.json', 'src/run.ts', 'test/tools/quickstart.txt']
  const attributes = git(['check-attr', 'eol', '--', ...paths]).toString()
  expect(attributes.trim().split('\n')).toEqual(paths.map(path => `${path}: eol: lf`))
})
