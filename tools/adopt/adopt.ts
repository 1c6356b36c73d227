import { isFullName, namesTheAction, publishedName, type Texts } from '../release/published-name.ts'

/** The name given is none that a repository of GitHub could have. */
export class NameError extends Error {
  override name = 'NameError'
}

function ownerOf(fullName: string): string {
  return fullName.split('/')[0] ?? ''
}

/** Each mention of one repository as one of the other. A longer name that begins alike is another repository. */
function rename(text: string, from: string, to: string): string {
  const escaped = from.replace(/[.]/g, '\\.')
  return text.replace(
    new RegExp(`(?<![\\w./-])((?:https://github\\.com/)?)${escaped}(?![\\w-])`, 'g'),
    `$1${to}`,
  )
}

/**
 * What changes when the action gets its owner and name: every document, example and workflow that names it, the
 * owners of the code, and `repository` in package.json, from which the next adoption knows what to replace.
 *
 * @param texts all texts of the tree by their path
 * @param fullName like `acme/managed-database-action`
 * @returns the changed texts only
 * @throws NameError when it is no full name of a repository
 */
export function adopt(texts: Texts, fullName: string): Texts {
  if (!isFullName(fullName)) {
    throw new NameError(
      `expected an owner and a repository, like acme/managed-database-action, not "${fullName}"`,
    )
  }
  const packageJson = texts.get('package.json') ?? '{}'
  const before = publishedName(packageJson)
  const changed: Texts = new Map()
  for (const [path, text] of texts) {
    const renamed = !namesTheAction(path)
      ? text
      : path === '.github/CODEOWNERS'
        ? text.replaceAll(`@${ownerOf(before)}`, `@${ownerOf(fullName)}`)
        : rename(text, before, fullName)
    if (renamed !== text) changed.set(path, renamed)
  }
  const { repository: _, ...description } = JSON.parse(packageJson) as Record<string, unknown>
  const entries = Object.entries({ ...description })
  const index = entries.findIndex(([name]) => name === 'license')
  entries.splice(index, 0, ['repository', `github:${fullName}`])
  const adopted = `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
  if (adopted !== packageJson) changed.set('package.json', adopted)
  return changed
}
