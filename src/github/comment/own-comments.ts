/** Finds the comments that the action wrote on a pull request, and defines their form. */
import * as z from 'zod/mini'
import type { GitHubCall } from '../ask/call.ts'
import { GitHubRefusalError, GitHubUnclearError, GitHubUnreachableError } from '../ask/errors.ts'
import type { PageOptions, Repository } from '../ask/repository.ts'
import { readShape } from '../ask/request.ts'
import { hasAnyMarker } from './sections.ts'

export interface Comment {
  id: number
  body: string
  address: string
  /** By GitHub's clock. */
  changedAt: string
}

const user = z.looseObject({ login: z.string() })

export const restComment = z.looseObject({
  id: z.int(),
  html_url: z.string(),
  body: z.nullish(z.string()),
  updated_at: z.nullish(z.string()),
  /** Null if the account was deleted. */
  user: z.nullish(user),
})

type RestComment = z.infer<typeof restComment>

export const fromRest = ({ id, html_url, body, updated_at }: RestComment): Comment => ({
  id,
  address: html_url,
  body: body ?? '',
  changedAt: updated_at ?? '',
})

/** The author of comments written with the job's GITHUB_TOKEN. */
const actionsBot = 'github-actions[bot]'

const viewer = z.looseObject({ data: z.looseObject({ viewer: user }) })
const permission = 'metadata: read'

/**
 * The login of an app's token, such as the job's GITHUB_TOKEN: `github-actions[bot]` or `<app>[bot]`. REST refuses to
 * return it (`GET /user` answers 403), so GraphQL does.
 */
async function readViewer(call: GitHubCall, graphqlAddress: string): Promise<string> {
  const what = 'reading the login of the token'
  const parameters = { baseUrl: graphqlAddress, query: '{ viewer { login } }' }
  const answer = await call({ what, route: 'POST /graphql', parameters, permission, repeatable: true })
  return readShape(what, answer, viewer).data.viewer.login
}

/**
 * The login that this token's comments show. If GraphQL refuses, the token is taken for a job's. If it gives no
 * answer, the login is unknown: with a wrong one, the comment of an app would be overlooked, and written twice.
 */
export async function readAuthor(call: GitHubCall, graphqlAddress: string): Promise<string> {
  const what = 'reading the user of the token'
  try {
    return readShape(what, await call({ what, route: 'GET /user', permission }), user).login
  } catch (failure) {
    if (!(failure instanceof GitHubRefusalError && failure.status === 403)) throw failure
  }
  try {
    return await readViewer(call, graphqlAddress)
  } catch (failure) {
    if (failure instanceof GitHubRefusalError || failure instanceof GitHubUnclearError) return actionsBot
    throw failure
  }
}

/**
 * The size of a page whose texts are all as long as GitHub allows. Such a text has 65,536 characters, and JSON may need
 * 12 bytes for one (an emoji as `\\ud83d\\ude00`). 15 texts, each with 64 KiB for its other fields, stay below the
 * limit of 16 MiB for an answer.
 */
const longTextsPerPage = 15

interface Part {
  /** Matches the wanted comment. Pages after that of the first one are not read. */
  until?: (comment: Comment) => boolean
  /** A time in ISO 8601, by GitHub's clock. Comments that have not changed since then are not read. */
  since?: string
}

async function readAll(
  repository: Repository,
  pullRequest: number,
  since: string | undefined,
  isEnough: PageOptions<RestComment>['isEnough'],
): Promise<RestComment[]> {
  const request = {
    what: `reading the comments of pull request ${pullRequest}`,
    route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
    parameters: { issue_number: pullRequest, ...(since && { since }) },
    permission: 'pull-requests: write',
  }
  try {
    return await repository.readPages(request, restComment, { isEnough })
  } catch (failure) {
    if (!(failure instanceof GitHubUnreachableError && failure.isTooLarge)) throw failure
    return await repository.readPages(request, restComment, { isEnough, perPage: longTextsPerPage })
  }
}

/** The comments of all previews on a pull request, oldest first. Anyone can copy a marker, so the author counts too. */
export type FindOwnComments = (pullRequest: number, part?: Part) => Promise<Comment[]>

export const createFindOwnComments =
  (repository: Repository, readAuthor: () => Promise<string>): FindOwnComments =>
  async (pullRequest, { until, since } = {}) => {
    const author = readAuthor()
    const findOwn = async (comments: RestComment[]) => {
      const login = (await author).toLowerCase()
      return comments
        .filter(({ body, user }) => user?.login.toLowerCase() === login && hasAnyMarker(body ?? ''))
        .map(fromRest)
    }
    const isEnough = until && (async (page: RestComment[]) => (await findOwn(page)).some(until))
    const [comments] = await Promise.all([readAll(repository, pullRequest, since, isEnough), author])
    return await findOwn(comments)
  }
