/** Tests the job of docs/migrations.md that rehearses the SQL files that a pull request adds. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { parse } from 'yaml'
import { asWorkflow, yamlBlocks } from '../../tools/check-workflows/yaml-blocks.ts'
import { useWorkspace } from '../support/workspace.ts'
import { holds, interpolate } from './support/expressions.ts'
import { repository, type Workflow } from './support/workflow-file.ts'

const page = readFileSync(resolve(repository, 'docs/migrations.md'), 'utf8')
const block = yamlBlocks(page).find(({ text }) => text.includes('--diff-filter=A'))
const steps = (parse(asWorkflow(block?.text ?? '')) as Workflow).jobs.rehearse?.steps ?? []
const lister = steps.find(({ id }) => id === 'added')
const rehearsal = steps.at(-1)

const { path: root, write, empty } = useWorkspace()
const clone = join(root, 'clone')

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
    cwd: folder,
    stdio: 'ignore',
  })

/** Writes the files, and commits everything. */
function commit(folder: string, files: Record<string, string>): void {
  write(
    Object.fromEntries(
      Object.entries(files).map(([path, text]) => [relative(root, join(folder, path)), text]),
    ),
  )
  git(folder, 'add', '--all')
  git(folder, 'commit', '--allow-empty', '--message', 'Work')
}

beforeEach(() => {
  empty()
  const origin = join(root, 'origin')
  git(root, 'init', '--initial-branch', 'main', origin)
  commit(origin, { 'migrations/0001_orders.sql': 'create table orders ();' })
  git(root, 'clone', origin, clone)
  git(clone, 'checkout', '-b', 'feature')
  commit(origin, { 'migrations/0002_on_main.sql': 'select 1;' })
  git(clone, 'fetch')
})

/** The output `files` of the step. */
function listFiles(base = 'main'): string {
  const output = join(root, 'output')
  writeFileSync(output, '')
  const env = { ...process.env, BASE: base, GITHUB_OUTPUT: output }
  execFileSync('bash', ['-e', '-c', lister?.run ?? 'exit 1'], { cwd: clone, env, stdio: 'ignore' })
  return readFileSync(output, 'utf8').replace(/^files=|\n$/g, '')
}

const contextsOf = (files: string) => ({ steps: { added: { outputs: { files } } } })

it('rehearses the files that the branch adds, in order, and none that the base branch has', () => {
  commit(clone, {
    'migrations/0001_orders.sql': 'create table orders (id int);',
    'migrations/0004_b.sql': 'select 2;',
    'migrations/0003_a.sql': 'select 1;',
    'docs/notes.sql': 'select 3;',
  })
  git(clone, 'merge', 'origin/main')
  const files = listFiles()
  expect(files).toBe('migrations/0003_a.sql,migrations/0004_b.sql')
  expect(holds(rehearsal?.if, contextsOf(files), 'success')).toBe(true)
  expect(interpolate(rehearsal?.with?.sql_file, contextsOf(files))).toBe(files)
})

it('skips the rehearsal if the branch adds no file', () => {
  commit(clone, { 'README.md': 'text' })
  const files = listFiles()
  expect(files).toBe('')
  expect(holds(rehearsal?.if, contextsOf(files), 'success')).toBe(false)
})

it('fails, instead of skipping the rehearsal, if the checkout lacks the base branch', () => {
  expect(() => listFiles('missing')).toThrow()
})
