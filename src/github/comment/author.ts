/** Finds the author of the action's comments. */
import * as z from 'zod/mini'
import type { GitHubCall } from '../ask/call.ts'
import { GitHubRefusalError } from '../ask/errors.ts'
import { readShape } from '../ask/exchange.ts'
import type { AskGraphql } from '../ask/graphql.ts'

/** The author of comments written with the job's GITHUB_TOKEN. */
const actionsBot = 'github-actions[bot]'

const viewer = z.looseObject({ viewer: z.looseObject({ login: z.string() }) })
const user = z.looseObject({ login: z.string() })
const permission = 'metadata: read'

/**
 * The login of an app's token, such as the job's GITHUB_TOKEN: `github-actions[bot]` or `<app>[bot]`. GET
 * /user answers such tokens with 403; GraphQL returns their login.
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
