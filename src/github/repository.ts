import { GitHubUnavailableError } from './errors.ts'

/** The parts of a repository's name, as GitHub's API has them in its paths. */
export interface RepositoryPath {
  owner: string
  repo: string
}

/**
 * Splits `owner/name`.
 *
 * @throws GitHubUnavailableError where it is not of that form
 */
export function parseRepository(repository: string): RepositoryPath {
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(repository) ?? []
  // `..` would lead out of the path.
  if (owner !== undefined && repo !== undefined && !/^\.+$/.test(owner) && !/^\.+$/.test(repo))
    return { owner, repo }
  throw new GitHubUnavailableError(
    `GITHUB_REPOSITORY (${repository || 'not set'}) names no repository`,
    'run the step on a GitHub runner',
  )
}
