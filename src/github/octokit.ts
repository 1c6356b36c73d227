/** The part of GitHub's own client that this folder uses. */
export interface Octokit {
  /** `route` is a method and a path template. Rejects for a status of 400 and above. */
  request(
    route: string,
    parameters: Record<string, unknown>,
  ): Promise<{ status: number; headers: Record<string, unknown>; data: unknown }>
}

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
 * GitHub's client with the token of the workflow. It is imported only when GitHub is really asked, which spares other
 * operations its start-up time.
 */
export async function openOctokit(token: string, apiAddress: string): Promise<Octokit> {
  const { Octokit } = await import('@octokit/core')
  return new Octokit({ auth: token, baseUrl: apiAddress, userAgent: 'managed-database-action' })
}
