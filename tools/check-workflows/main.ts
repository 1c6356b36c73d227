/**
 * Runs public linters over every workflow, action, example and YAML block of the documents: actionlint
 * (github.com/rhysd/actionlint) and zizmor (docs.zizmor.sh). Exits with 1 if one finds a problem.
 * - `npm run check:workflows`: with the linters on the PATH; reports the missing ones.
 * - `npm run check:workflows -- --pins`: checks with GitHub whether the pinned commits are those of their versions.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findPins, judgePin } from './pins.ts'
import { asWorkflow, yamlBlocks } from './yaml-blocks.ts'

const root = resolve(import.meta.dirname, '../..')

interface Linter {
  name: string
  args: string[]
  /** Files that it reads. */
  reads: RegExp
}

/** Features newer than actionlint 1.7.12, which reports them as errors. */
const newerThanActionlint = [
  // `concurrency: { queue: max }`, GitHub's changelog of 2026-05-07.
  'unexpected key "queue" for "concurrency" section',
  // `environment: { deployment: false }`, GitHub's changelog of March 2026.
  'unexpected key "deployment" for "environment" section',
  // `uses: $/` names this very repository at the running commit, GitHub's changelog of 2026-07-30.
  'specifying action "\\$/',
]

/** A block of a document may use a step from another block. */
const fragments = ['property "[^"]+" is not defined in object type \\{\\}']

const linters: Linter[] = [
  {
    name: 'actionlint',
    args: [
      '-no-color',
      '-oneline',
      ...[...newerThanActionlint, ...fragments].flatMap(pattern => ['-ignore', pattern]),
    ],
    reads: /(?:workflows|examples|ghes|blocks)[^/]*\/[^/]+\.yml$/,
  },
  {
    name: 'zizmor',
    args: [
      '--offline',
      '--no-progress',
      '--quiet',
      '--format=plain',
      '--config',
      join(root, '.github/zizmor.yml'),
    ],
    reads: /\.yml$/,
  },
]

function inFolder(folder: string): string[] {
  const path = join(root, folder)
  if (!existsSync(path)) return []
  return readdirSync(path)
    .filter(name => name.endsWith('.yml'))
    .map(name => join(path, name))
}

/** Every YAML block of the documents as a workflow in the folder, named after its place. */
function writeBlocks(folder: string): string[] {
  const documents = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md']
  const pages = globSync('docs/**/*.md', { cwd: root })
  return [...documents, ...pages].flatMap(document =>
    yamlBlocks(readFileSync(join(root, document), 'utf8')).map(({ text, line }) => {
      const path = join(folder, `${basename(document)}-line-${line}.yml`)
      writeFileSync(path, asWorkflow(text))
      return path
    }),
  )
}

const workflows = ['.github/workflows', 'examples', 'ghes'].flatMap(inFolder)
const actions = ['action.yml', 'preview/action.yml', 'database/action.yml', 'emulator/action.yml']
  .map(name => join(root, name))
  .filter(existsSync)

function checkPins(): void {
  const pins = findPins(workflows.map(file => readFileSync(file, 'utf8')).join('\n'))
  for (const pin of pins) {
    const tags = [`refs/tags/${pin.tag}`, `refs/tags/${pin.tag}^{}`]
    const asked = ['ls-remote', `https://github.com/${pin.repository}`, ...tags]
    const problem = judgePin(pin, execFileSync('git', asked, { encoding: 'utf8' }))
    if (problem === undefined) continue
    process.stdout.write(`${problem}\n`)
    process.exitCode = 1
  }
  process.stdout.write(`${pins.length} pins asked for\n`)
}

function lint(): void {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  const blocks = mkdtempSync(join(root, 'node_modules/.cache/blocks-'))
  try {
    const files = [...workflows, ...actions, ...writeBlocks(blocks)]
    for (const linter of linters) {
      const read = files.filter(file => linter.reads.test(file))
      const { error, status, stdout, stderr } = spawnSync(linter.name, [...linter.args, ...read], {
        cwd: root,
        encoding: 'utf8',
      })
      if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
        process.stdout.write(`${linter.name}: skipped, it is not installed\n`)
      else if (status === 0) process.stdout.write(`${linter.name}: ${read.length} files, 0 findings\n`)
      else {
        process.stdout.write(`${linter.name} objects:\n${stdout}${stderr}`)
        process.exitCode = 1
      }
    }
  } finally {
    rmSync(blocks, { recursive: true, force: true })
  }
}

const { values } = parseArgs({ options: { pins: { type: 'boolean', default: false } } })
if (values.pins) checkPins()
else lint()
