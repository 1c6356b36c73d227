/** Finds the comments that the action wrote on a pull request. */
import * as z from 'zod/mini'
import type { GitHubCall } from '../ask/call.ts'
import { GitHubRefusalError, GitHubUnclearError } from '../ask/errors.ts'
import { readShape } from '../ask/exchange.ts'
import type { AskGraphql } from '../ask/graphql.ts'
import { type Repository, textsPerPage } from '../ask/repository.ts'
import { type Comment, fromRest, restComment } from './comment-record.ts'
import { OwnCommentsAtOnce } from './own-comments-at-once.ts'
import { hasAnyMarker } from './sections.ts'

/** The author of comments written with the job's GITHUB_TOKEN. */
const actionsBot = 'github-actions[bot]'

const viewer = z.looseObject({ viewer: z.looseObject({ login: z.string() }) })
const user = z.looseObject({ login: z.string() })
const permission = 'metadata: read'

/**
 * The login of an app's token, such as the job's GITHUB_TOKEN: `github-actions[bot]` or `<app>[bot]`. REST refuses to
 * return it (`GET /user` answers 403), so GraphQL does.
 */
async function readViewer(ask: AskGraphql): Promise<string> {
  const what = 'reading the login of the token'
  const { data } = await ask({ what, query: '{ viewer { login } }', permission })
  return viewer.safeParse(data).data?.viewer.login ?? actionsBot
}

/** The login that this token's comments show. */
export async function readAuthor(call: GitHubCall, ask: AskGraphql): Promise<string> {
  const what = 'reading the user of the token'
  try {
    return readShape(what, await call({ what, route: 'GET /user', permission }), user).login
  } catch (failure) {
    if (!(failure instanceof GitHubRefusalError && failure.status === 403)) throw failure
    return await readViewer(ask).catch(() => actionsBot)
  }
}

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
  /** Whether GitHub rejected a GraphQL query. Then only REST requests follow. */
  let isGraphqlRejected = false

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
      .filter(({ body, user }) => user?.login.toLowerCase() === author && hasAnyMarker(body ?? ''))
      .map(fromRest)
  }

  return async (pullRequest, known = []) => {
    try {
      if (!isGraphqlRejected) return await atOnce.read(pullRequest, known)
    } catch (failure) {
      if (!(failure instanceof GitHubRefusalError || failure instanceof GitHubUnclearError)) throw failure
      isGraphqlRejected = true
    }
    return await list(pullRequest)
  }
}
