import { namesTheAction, publishedName, type Texts } from '../release/published-name.ts'

/** Each mention of one repository as one of the other. A longer name that begins alike is another repository. */
function rename(text: string, from: string, to: string): string {
  const escaped = from.replace(/[.]/g, '\\.')
  return text.replace(
    new RegExp(`(?<![\\w./-])((?:https://github\\.com/)?)${escaped}(?![\\w-])`, 'g'),
    `$1${to}`,
  )
}

/** package.json with the repository in its usual place: from it the next adoption knows what to replace. */
function writeRepository(packageJson: string, fullName: string): string {
  const { repository: _, ...description } = JSON.parse(packageJson) as Record<string, unknown>
  const entries = Object.entries(description)
  const index = entries.findIndex(([name]) => name === 'license')
  const adopted = Object.fromEntries(entries.toSpliced(index, 0, ['repository', `github:${fullName}`]))
  return `${JSON.stringify(adopted, null, 2)}\n`
}

/**
 * What changes when the action gets its owner and name: every document, example and workflow that names it, the
 * owners of the code, and `repository` in package.json.
 *
 * @param texts all texts of the tree by their path
 * @param fullName like `acme/managed-database-action`
 * @returns the changed texts only
 */
export function adopt(texts: Texts, fullName: string): Texts {
  const before = publishedName(texts.get('package.json') ?? '{}')
  const ownerOf = (name: string) => `@${name.split('/')[0]}`
  const renamed = [...texts].map(([path, text]): [string, string] => {
    if (path === 'package.json') return [path, writeRepository(text, fullName)]
    if (!namesTheAction(path)) return [path, text]
    if (path === '.github/CODEOWNERS') return [path, text.replaceAll(ownerOf(before), ownerOf(fullName))]
    return [path, rename(text, before, fullName)]
  })
  return new Map(renamed.filter(([path, text]) => text !== texts.get(path)))
}
