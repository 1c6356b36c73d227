import * as z from 'zod/mini'
import type { GitHubCall } from './call.ts'
import { GitHubRefusalError, GitHubUnclearError } from './errors.ts'

/** The author of comments written with the job's GITHUB_TOKEN. */
const actionsBot = 'github-actions[bot]'

const viewer = z.looseObject({ data: z.looseObject({ viewer: z.looseObject({ login: z.string() }) }) })
const user = z.looseObject({ login: z.string() })

/**
 * The login of an app's token, such as the job's GITHUB_TOKEN: `github-actions[bot]` or `<app>[bot]`. GET /user
 * answers such tokens with 403; GraphQL gives their login.
 */
async function readViewer(call: GitHubCall, graphqlAddress: string): Promise<string> {
  const answer = await call({
    what: 'asking whose token it is',
    route: 'POST /graphql',
    parameters: { baseUrl: graphqlAddress, query: '{ viewer { login } }' },
    permission: 'metadata: read',
    success: 200,
    repeatable: true,
  })
  return viewer.safeParse(answer.data).data?.data.viewer.login ?? actionsBot
}

/** The login under which comments of this token appear. */
export async function readAuthor(call: GitHubCall, apiAddress: string): Promise<string> {
  const what = 'reading the user of the token'
  try {
    const permission = 'metadata: read'
    const answer = await call({
      what,
      route: 'GET /user',
      parameters: {},
      permission,
      success: 200,
      repeatable: true,
    })
    const found = user.safeParse(answer.data).data
    if (found) return found.login
  } catch (failure) {
    if (!(failure instanceof GitHubRefusalError && failure.status === 403)) throw failure
    // A GitHub Enterprise Server has its GraphQL beside /api/v3, not below it.
    return await readViewer(call, apiAddress.replace(/\/api\/v3$/, '/api')).catch(() => actionsBot)
  }
  throw new GitHubUnclearError(what, { status: 200, problem: 'not of the expected shape' })
}
