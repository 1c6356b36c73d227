import { GitHubUnavailableError } from './errors.ts'

/** The repository as paths of the API name it. */
export interface RepositoryPath {
  owner: string
  repo: string
}

/** Of `owner/name`. */
export function parseRepository(repository: string): RepositoryPath {
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(repository) ?? []
  // `..` would leave the path of the repositories.
  if (owner !== undefined && repo !== undefined && !/^\.+$/.test(owner) && !/^\.+$/.test(repo))
    return { owner, repo }
  throw new GitHubUnavailableError(
    `GITHUB_REPOSITORY (${repository || 'not set'}) names no repository`,
    'run the step on a GitHub runner',
  )
}
