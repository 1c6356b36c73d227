/** Finds the comments that the action wrote on a pull request. */
import { GitHubRefusalError, GitHubUnclearError } from '../ask/errors.ts'
import type { AskGraphql } from '../ask/graphql.ts'
import { type Repository, textsPerPage } from '../ask/repository.ts'
import { type Comment, fromRest, restComment } from './comment-record.ts'
import { OwnCommentsAtOnce } from './own-comments-at-once.ts'
import { isOurs } from './sections.ts'

/**
 * The comments of all previews on a pull request. Anyone can copy a marker, so the author is compared too.
 * @param known comments whose text is not read again
 */
export type FindOwnComments = (pullRequest: number, known?: Comment[]) => Promise<Comment[]>

/** Uses GraphQL if the server and the token allow it; otherwise reads all comments, page by page. */
export function createFindOwnComments(
  repository: Repository,
  { ask, readAuthor }: { ask: AskGraphql; readAuthor: () => Promise<string> },
): FindOwnComments {
  const atOnce = new OwnCommentsAtOnce(ask, repository)
  let takesPages = false

  async function list(pullRequest: number): Promise<Comment[]> {
    const author = (await readAuthor()).toLowerCase()
    const request = {
      what: `reading the comments of pull request ${pullRequest}`,
      route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
      parameters: { issue_number: pullRequest },
      permission: 'pull-requests: write',
    }
    const comments = await repository.readPages(request, restComment, textsPerPage)
    return comments
      .filter(({ body, user }) => user?.login.toLowerCase() === author && isOurs(body ?? ''))
      .map(fromRest)
  }

  return async (pullRequest, known = []) => {
    try {
      if (!takesPages) return await atOnce.read(pullRequest, known)
    } catch (failure) {
      if (!(failure instanceof GitHubRefusalError || failure instanceof GitHubUnclearError)) throw failure
      takesPages = true
    }
    return await list(pullRequest)
  }
}
