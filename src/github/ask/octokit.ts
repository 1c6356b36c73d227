/** Builds requests to GitHub's API with the toolkit's Octokit. The action's own client sends them. */
import type { HttpRequest } from '#base/seam'
import type { GitHubRequest } from './exchange.ts'

export type BuildRequest = (
  request: Pick<GitHubRequest, 'route' | 'parameters'>,
) => Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>

const publicApi = 'https://api.github.com'

/** The address of GitHub's API: the public one, or a GitHub Enterprise Server's (with a path like /api/v3). */
export function apiAddressOf(environment: NodeJS.ProcessEnv): string {
  return (environment.GITHUB_API_URL || publicApi).replace(/(?<!\/)\/+$/, '')
}

/**
 * The address above `/graphql`, from GITHUB_GRAPHQL_URL. By default it follows from the API's: a GitHub
 * Enterprise Server has its GraphQL beside /api/v3, not below it.
 */
export function graphqlAddressOf(environment: NodeJS.ProcessEnv): string {
  const [, named] = /^(.+?)(?<!\/)\/+graphql\/*$/.exec(environment.GITHUB_GRAPHQL_URL ?? '') ?? []
  return named ?? apiAddressOf(environment).replace(/\/api\/v3$/, '/api')
}

/**
 * The toolkit reads the event file when it is imported. It throws if the file is malformed, and prints to stdout if the
 * file is missing (@actions/github 9, src/context.ts). So this hides the file, which event.ts has read already. The
 * import happens on first use, because other operations do not need it.
 */
async function importToolkit() {
  delete process.env.GITHUB_EVENT_PATH
  return await import('@actions/github')
}

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
