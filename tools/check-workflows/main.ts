/**
 * Runs public linters over every workflow, action, example and YAML block of the documents: actionlint
 * (github.com/rhysd/actionlint) and zizmor (docs.zizmor.sh), if they are on the PATH. Exits with 1 if one finds a problem.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { asWorkflow, yamlBlocks } from './yaml-blocks.ts'

const root = resolve(import.meta.dirname, '../..')
const filesOf = (...patterns: string[]) => globSync(patterns, { cwd: root }).map(name => join(root, name))

const workflows = filesOf('.github/workflows/*.yml', 'examples/*.yml', 'ghes/*.yml')
const actions = filesOf('action.yml', '{preview,database,emulator}/action.yml')

/** Reports of actionlint that are no problems. */
const ignored = [
  // Newer than actionlint 1.7.12: `concurrency: { queue: max }`, GitHub's changelog of 2026-05-07.
  'unexpected key "queue" for "concurrency" section',
  // `uses: $/` names this very repository at the running commit, GitHub's changelog of 2026-07-30.
  'specifying action "\\$/',
  // A block of a document may use a step from another block.
  'property "[^"]+" is not defined in object type \\{\\}',
]

/** Writes every YAML block of the documents as a workflow into the folder, named after its place. */
function writeBlocks(folder: string): string[] {
  return filesOf('{README,SECURITY,CONTRIBUTING}.md', 'docs/**/*.md').flatMap(document =>
    yamlBlocks(readFileSync(document, 'utf8')).map(({ text, line }) => {
      const path = join(folder, `${basename(document)}-line-${line}.yml`)
      writeFileSync(path, asWorkflow(text))
      return path
    }),
  )
}

function lint(name: string, args: string[], files: string[]): void {
  const { error, status, stdout, stderr } = spawnSync(name, [...args, ...files], {
    cwd: root,
    encoding: 'utf8',
  })
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    process.stdout.write(`${name}: skipped, it is not installed\n`)
  else if (status === 0) process.stdout.write(`${name}: ${files.length} files, 0 findings\n`)
  else {
    process.stdout.write(`${name} objects:\n${stdout}${stderr}`)
    process.exitCode = 1
  }
}

mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
const blocks = mkdtempSync(join(root, 'node_modules/.cache/blocks-'))
try {
  const files = [...workflows, ...writeBlocks(blocks)]
  lint('actionlint', ['-no-color', '-oneline', ...ignored.flatMap(pattern => ['-ignore', pattern])], files)
  const config = ['--config', join(root, '.github/zizmor.yml')]
  lint(
    'zizmor',
    ['--offline', '--no-progress', '--quiet', '--format=plain', ...config],
    [...files, ...actions],
  )
} finally {
  rmSync(blocks, { recursive: true, force: true })
}
