/** Adopts this copy of the action: writes its owner and name into every file that names it (docs/adopt.md). */
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isFullName } from '../release/published-name.ts'
import { readTexts, writeTexts } from '../release/tree.ts'
import { type Adoption, adopt, codeOwners, isReviewer } from './adopt.ts'

const root = resolve(import.meta.dirname, '../..')
const help = `Usage: npm run adopt -- owner/name [--reviewer @owner/team] [--all-checks]

Writes the owner and name of this copy into documents, examples and workflows. Run again with
another name, it replaces the first one. Commit the changes.

  --reviewer    a person (@name) or a team (@owner/team) that reviews changes, for CODEOWNERS
  --all-checks  keep Nightly, CodeQL, Scorecard and the tests on macOS and Windows
  --help        print this text
`

/** The command line as an adoption; undefined if the usage is requested. @throws Error for wrong arguments */
function readCommandLine(): Adoption | undefined {
  const { values, positionals } = parseArgs({
    options: { reviewer: { type: 'string' }, 'all-checks': { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  })
  if (values.help) return undefined
  const fullName = positionals.join(' ')
  const { reviewer } = values
  if (!isFullName(fullName))
    throw new Error(`expected an owner and a repository, like acme/db-previews, not "${fullName}"`)
  if (reviewer !== undefined && !isReviewer(reviewer))
    throw new Error(`--reviewer: expected a person or a team, like @acme/platform, not "${reviewer}"`)
  return { fullName, reviewer, allChecks: values['all-checks'] }
}

function report(written: string[], deleted: string[]): string {
  const checks = deleted.filter(path => path !== codeOwners)
  const lines: string[] = []
  if (written.length > 0) lines.push(`changed ${written.join(', ')}`)
  if (deleted.includes(codeOwners))
    lines.push(`deleted ${codeOwners}: it names no reviewer. Give one with --reviewer @acme/platform`)
  if (checks.length > 0)
    lines.push(
      `deleted ${checks.join(', ')}: only development of the action needs them. Keep them with --all-checks`,
    )
  if (lines.length === 0) return 'nothing to change: that name is in place already\n'
  return [...lines, 'check the changes with git diff, and commit them', ''].join('\n')
}

function readOrExit(): Adoption | undefined {
  try {
    return readCommandLine()
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${help}`)
    return process.exit(2)
  }
}

const adoption = readOrExit()
if (adoption === undefined) process.stdout.write(help)
else {
  const { written, deleted } = adopt(readTexts(root), adoption)
  writeTexts(root, written)
  for (const path of deleted) rmSync(join(root, path))
  process.stdout.write(report([...written.keys()], deleted))
}
