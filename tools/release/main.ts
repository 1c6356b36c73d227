/**
 * Prepares a release on a clean tree: version, changelog, documents and examples, the bundle compared.
 * - `npm run release`: the usual next version, to be committed.
 * - `npm run release -- 1.0.0`: this version.
 * - `npm run release -- --dry-run`: checks everything, prints the changed files, and writes nothing.
 * - `npm run release -- --notes <sha>`: prints the notes of package.json's version, pinned to the commit.
 * Publishing is the work of .github/workflows/release.yml, after the commit is on main.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { renderNotes } from './changelog.ts'
import { publishedName } from './published-name.ts'
import { git, readTexts, writeTexts } from './tree.ts'

const root = resolve(import.meta.dirname, '../..')
const help = `Usage: npm run release -- [version] [--dry-run]

Prepares a release on a clean tree: version, changelog, documents and examples. Without a version
it takes the one that usually comes next. Publish the release by the workflow Release.

  --dry-run      check everything, print the files that would change, write nothing
  --notes <sha>  print the notes of the version in package.json, pinned to that commit
  --help         print this text
`

function fail(...problems: string[]): never {
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exit(1)
}

function readCommandLine() {
  const flag = { type: 'boolean', default: false } as const
  try {
    const options = { notes: { type: 'string' }, 'dry-run': flag, help: flag } as const
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    return fail((error as Error).message, help)
  }
}

function printNotes(sha: string): void {
  if (!/^[0-9a-f]{40}$/.test(sha)) fail(`--notes: expected the full SHA of a commit, not "${sha}"`)
  const packageJson = readFileSync(join(root, 'package.json'), 'utf8')
  const { version } = JSON.parse(packageJson) as { version: string }
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  process.stdout.write(renderNotes(changelog, { name: publishedName(packageJson), version, sha }))
}

/** Generated files that are out of date, which prevent a release. */
function findStale(): string[] {
  return ['tools/build/bundle.ts', 'tools/reference/main.ts'].flatMap(script => {
    try {
      execFileSync(process.execPath, [script, '--check'], { cwd: root, stdio: 'inherit' })
      return []
    } catch {
      return [`${script} --check fails: run npm run build and npm run reference, and commit the changes`]
    }
  })
}

async function prepare(given: string | undefined, isDryRun: boolean): Promise<void> {
  // Loaded late: it needs a dependency, and the job that prints the notes may sign and therefore installs none.
  const { prepareRelease, proposeVersion } = await import('./prepare.ts')
  const texts = readTexts(root)
  const version = given ?? proposeVersion(texts)
  const { changed, problems } = prepareRelease(texts, version, new Date().toISOString().slice(0, 10))
  if (git(root, 'status', '--porcelain').trim() !== '')
    problems.unshift('the tree has changes: commit them first')
  if (problems.length > 0) fail(...problems)
  const stale = findStale()
  if (stale.length > 0) fail(...stale)
  const list = [...changed.keys()].map(path => `  ${path}\n`).join('')
  if (isDryRun) {
    process.stdout.write(`${version} would change\n${list}dry run: nothing was written\n`)
    return
  }
  writeTexts(root, changed)
  process.stdout.write(
    // The copy of action.yml is a new file at the first release, so it must be added.
    `${version} changed\n${list}next: git add --all\n      git commit --message "Release ${version}"\n      push to main, and run the workflow Release\n`,
  )
}

const { values, positionals } = readCommandLine()
if (values.help) process.stdout.write(help)
else if (values.notes !== undefined) printNotes(values.notes)
else if (positionals.length > 1) fail('expected one version, like: npm run release -- 1.0.0')
else await prepare(positionals[0], values['dry-run'])
