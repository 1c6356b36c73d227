/** The changes for a copy of the action: its names, its reviewers, and its checks. */
import { namesTheAction, placeholder, publishedName, type Texts } from '../release/published-name.ts'

export interface Adoption {
  /** Like `acme/db-previews`. */
  fullName: string
  /** The person or team that must review changes, like `@acme/platform`. */
  reviewer?: string | undefined
  /** Keeps the checks that only the action's own development needs. */
  allChecks?: boolean | undefined
}

export const codeOwners = '.github/CODEOWNERS'
const ci = '.github/workflows/ci.yml'

/** Workflows that only the action's own development needs. */
const developersChecks = ['nightly', 'codeql', 'scorecard', 'systems'].map(
  name => `.github/workflows/${name}.yml`,
)

/** The first paragraph of the README's box, which no longer applies after the adoption. */
const notAdopted = /^> \*\*Not adopted yet[\s\S]*?\n>\n/m

/** Whether a text is valid in CODEOWNERS: `@person` or `@organization/team`. */
export function isReviewer(text: string): boolean {
  return /^@[A-Za-z0-9][\w-]*(?:\/[A-Za-z0-9][\w.-]*)?$/.test(text) && !placeholder.startsWith(text.slice(1))
}

const escapeDots = (name: string) => name.replace(/[.]/g, '\\.')

/** Renames each mention of a repository. A longer name with the same start is another repository. */
const rename = (text: string, from: string, to: string) =>
  text.replace(
    new RegExp(`(?<![\\w./-])((?:https://github\\.com/)?)${escapeDots(from)}(?![\\w-])`, 'g'),
    `$1${to}`,
  )

/** The name without its owner, in the README's title and in the authors of an action. */
function renameAlone(text: string, from: string, to: string): string {
  const [, before = ''] = from.split('/')
  const [, after = ''] = to.split('/')
  return text
    .replace(new RegExp(`^# ${escapeDots(before)}$`, 'm'), `# ${after}`)
    .replace(new RegExp(`^author: ${escapeDots(before)} authors$`, 'm'), `author: ${after} authors`)
}

/** package.json with the repository in its usual place, where the next adoption finds it. */
function writeRepository(packageJson: string, fullName: string): string {
  const { repository: _, ...description } = JSON.parse(packageJson) as Record<string, unknown>
  const entries = Object.entries(description)
  const index = entries.findIndex(([name]) => name === 'license')
  const adopted = Object.fromEntries(entries.toSpliced(index, 0, ['repository', `github:${fullName}`]))
  return `${JSON.stringify(adopted, null, 2)}\n`
}

/** CODEOWNERS with the reviewer of all files; rules of single folders stay. */
const writeReviewer = (owners: string | undefined, reviewer: string) =>
  owners === undefined ? `* ${reviewer}\n` : owners.replace(/^\* .*$/m, `* ${reviewer}`)

/** CI with its end-to-end test on Linux only. */
const keepLinux = (workflow: string) =>
  workflow.replace(/^( *system: )\[ubuntu-latest, .*\]$/m, '$1[ubuntu-latest]')

/**
 * The changes when the action gets its owner and name: every document, example and workflow that names it, the
 * reviewers, and `repository` in package.json. The first adoption also deletes checks and placeholders.
 * @param texts all texts of the tree by path
 * @returns the changed texts by path, and the paths of the files that the copy does not need
 */
export function adopt(
  texts: Texts,
  { fullName, reviewer, allChecks = false }: Adoption,
): { written: Texts; deleted: string[] } {
  const before = publishedName(texts.get('package.json') ?? '{}')
  const leavesOut = before === placeholder && !allChecks
  const adopted: Texts = new Map(
    [...texts].map(([path, text]) => {
      if (path === 'package.json') return [path, writeRepository(text, fullName)]
      if (!namesTheAction(path)) return [path, text]
      const named = rename(renameAlone(text, before, fullName), before, fullName)
      // A merge from the original adds placeholders again.
      const renamed = rename(named, placeholder, fullName)
      if (path === 'README.md') return [path, renamed.replace(notAdopted, '')]
      return [path, path === ci && leavesOut ? keepLinux(renamed) : renamed]
    }),
  )
  if (reviewer !== undefined) adopted.set(codeOwners, writeReviewer(texts.get(codeOwners), reviewer))
  const isUnowned = adopted.get(codeOwners)?.includes('@OWNER_OF_YOUR_COPY')
  const unneeded = [...(isUnowned ? [codeOwners] : []), ...(leavesOut ? developersChecks : [])]
  const deleted = unneeded.filter(path => texts.has(path))
  for (const path of deleted) adopted.delete(path)
  return { written: new Map([...adopted].filter(([path, text]) => text !== texts.get(path))), deleted }
}
