/**
 * Represents `owner/repository`, the place where the action is published, until it is adopted. No account can have this
 * owner's name: its owner would receive the keys of everyone who copies an example unchanged.
 */
export const placeholder = 'OWNER_OF_YOUR_COPY/managed-database-action'

/**
 * GitHub's rules for the names of accounts and repositories. The name of an enterprise's managed user has one
 * underscore, before the enterprise's short code; no name has two.
 */
const grammar = /^(?=[^/]{1,39}\/)[A-Za-z0-9](?:-?[A-Za-z0-9])*(?:_[A-Za-z0-9]+)?\/[A-Za-z0-9._-]{1,100}$/

/** Whether a text is the full name of a repository, like `acme/managed-database-action`. */
export function isFullName(text: string): boolean {
  return grammar.test(text) && !/\/\.{1,2}$/.test(text)
}

/** The current name in README, examples and workflows: package.json's `repository`, or the placeholder. */
export function publishedName(packageJson: string): string {
  const { repository } = JSON.parse(packageJson) as { repository?: string }
  return repository?.replace(/^github:/, '') ?? placeholder
}

/** A text of the tree by its path from the root. */
export type Texts = Map<string, string>

/** Documents, workflows and descriptions of actions; no source, test or built file names the repository. */
export function namesTheAction(path: string): boolean {
  if (path === 'emulator/action.yml') return true
  if (/^(?:src|emulator|test|tools|dist|build|node_modules)\//.test(path)) return false
  return /\.(?:md|ya?ml)$/.test(path)
}
