/** Adopts this copy of the action: writes its owner and name into every file that names it (docs/adopt.md). */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isFullName } from '../release/published-name.ts'
import { deleteFiles, readTexts, writeTexts } from '../release/tree.ts'
import { type Adoption, adopt, codeOwners, isReviewer } from './adopt.ts'

const root = resolve(import.meta.dirname, '../..')
const help = `Usage: npm run adopt -- owner/name [--reviewer @owner/team] [--all-checks]

Writes the owner and name of this copy into documents, examples and workflows. Run again with
another name, it replaces the first one. Commit the changes.

  --reviewer    a person (@name) or a team (@owner/team) that reviews changes, for CODEOWNERS
  --all-checks  keep Nightly, CodeQL, Scorecard and the tests on macOS and Windows
  --help        print this text
`

/** The command line as an adoption, or the problem with it. */
function readCommandLine(): Adoption | string {
  const { values, positionals } = parseArgs({
    options: { reviewer: { type: 'string' }, 'all-checks': { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  })
  if (values.help) return ''
  const fullName = positionals.join(' ')
  const { reviewer } = values
  if (!isFullName(fullName))
    return `expected an owner and a repository, like acme/db-previews, not "${fullName}"\n`
  if (reviewer !== undefined && !isReviewer(reviewer))
    return `--reviewer: expected a person or a team, like @acme/platform, not "${reviewer}"\n`
  return { fullName, reviewer, allChecks: values['all-checks'] }
}

function readOrRefuse(): Adoption | string {
  try {
    return readCommandLine()
  } catch (error) {
    return `${(error as Error).message}\n${help}`
  }
}

function report(written: string[], deleted: string[]): string {
  const checks = deleted.filter(path => path !== codeOwners)
  const lines = [
    ...(written.length > 0 ? [`changed ${written.join(', ')}`] : []),
    ...(deleted.includes(codeOwners)
      ? [`deleted ${codeOwners}: it names no reviewer. Give one with --reviewer @acme/platform`]
      : []),
    ...(checks.length > 0
      ? [
          `deleted ${checks.join(', ')}: only development of the action needs them. Keep them with --all-checks`,
        ]
      : []),
  ]
  if (lines.length === 0) return 'nothing to change: that name is in place already\n'
  return [...lines, 'check the changes with git diff, and commit them', ''].join('\n')
}

const adoption = readOrRefuse()
if (adoption === '') process.stdout.write(help)
else if (typeof adoption === 'string') {
  process.stderr.write(adoption)
  process.exitCode = 2
} else {
  const { written, deleted } = adopt(readTexts(root), adoption)
  writeTexts(root, written)
  deleteFiles(root, deleted)
  process.stdout.write(report([...written.keys()], deleted))
}
