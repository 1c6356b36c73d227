// Identifies the repository of the workflow.

import * as z from 'zod/mini'
import type { WorkflowEvent } from '#preview/base/github'
import type { GitHubCall } from './call.ts'
import { GitHubUnavailableError, GitHubUnclearError } from './errors.ts'
import { readShape } from './exchange.ts'

export interface RepositoryPath {
  owner: string
  repo: string
}

/**
 * Splits `owner/name`.
 * @throws GitHubUnavailableError if it does not have that form
 */
export function parseRepository(repository: string): RepositoryPath {
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(repository) ?? []
  // `..` would address another path.
  if (owner !== undefined && repo !== undefined && !/^\.+$/.test(owner) && !/^\.+$/.test(repo))
    return { owner, repo }
  throw new GitHubUnavailableError(
    `GITHUB_REPOSITORY (${repository || 'not set'}) is not the name of a repository`,
    'run the step on a GitHub runner',
  )
}

/**
 * Rejects an answer about another repository: after a rename, another owner may have taken the old name.
 * @throws GitHubUnclearError
 */
export function checkRepository({ repositoryId }: WorkflowEvent, what: string, id: number): void {
  if (String(id) === repositoryId) return
  throw new GitHubUnclearError(what, {
    status: 200,
    problem: `about repository ${id}, not ${repositoryId || 'one that GITHUB_REPOSITORY_ID names'}`,
  })
}

const shape = z.looseObject({ id: z.int() })

/**
 * Verifies the id of the repository, if other answers do not contain it.
 * @throws GitHubUnclearError if it is another repository
 */
export async function checkItIsOurs(
  call: GitHubCall,
  event: WorkflowEvent,
  permission: string,
): Promise<void> {
  const what = `reading repository ${event.repository}`
  const route = 'GET /repos/{owner}/{repo}'
  const parameters = { ...parseRepository(event.repository) }
  const answer = await call({ what, route, parameters, permission, success: 200, repeatable: true })
  checkRepository(event, what, readShape(what, answer, shape).id)
}
