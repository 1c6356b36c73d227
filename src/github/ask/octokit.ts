/** Builds requests to GitHub's API with the toolkit's Octokit, which sends none of them. */
import type { HttpRequest } from '#base/seam'
import type { GitHubRequest } from './exchange.ts'

/** A request as it goes on the wire, before its limits. */
export type BuildRequest = (
  request: Pick<GitHubRequest, 'route' | 'parameters'>,
) => Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>

const publicApi = 'https://api.github.com'

/** The address of GitHub's API: the public one, or a GitHub Enterprise Server's (with a path like /api/v3). */
export function apiAddressOf(environment: NodeJS.ProcessEnv): string {
  return (environment.GITHUB_API_URL || publicApi).replace(/(?<!\/)\/+$/, '')
}

/**
 * The address that `/graphql` is below, by GITHUB_GRAPHQL_URL. Where the environment names none, it follows from the
 * API's: a GitHub Enterprise Server has its GraphQL beside /api/v3, not below it.
 */
export function graphqlAddressOf(environment: NodeJS.ProcessEnv): string {
  const [, named] = /^(.+?)(?<!\/)\/+graphql\/*$/.exec(environment.GITHUB_GRAPHQL_URL ?? '') ?? []
  return named ?? apiAddressOf(environment).replace(/\/api\/v3$/, '/api')
}

/**
 * The toolkit reads the event's file when it is imported: it throws if the file is malformed, and prints to stdout if
 * it is missing (@actions/github 9, src/context.ts). So the file is hidden from it, for good: event.ts has read it. And
 * it is imported only when GitHub is asked, which spares other operations its start-up time.
 */
async function importToolkit() {
  delete process.env.GITHUB_EVENT_PATH
  return await import('@actions/github')
}

/** Builds requests with the token of the workflow. */
export async function openOctokit(token: string, apiAddress: string): Promise<BuildRequest> {
  const { getOctokit } = await importToolkit()
  const client = getOctokit(token, { baseUrl: apiAddress, userAgent: 'managed-database-action' })
  return ({ route, parameters }) => {
    const { method, url, headers, body } = client.request.endpoint(route, {
      ...parameters,
      headers: { authorization: `token ${token}` },
    })
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)])
    return {
      method,
      url,
      headers: Object.fromEntries(texts),
      body: body === undefined ? undefined : JSON.stringify(body),
    }
  }
}
