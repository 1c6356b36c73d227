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
 * The toolkit reads the event's file when it is imported: it throws if the file is malformed, and prints to stdout if
 * it is missing (@actions/github 9, src/context.ts). So the file is hidden from it, for good: event.ts has read it. And
 * it is imported only when GitHub is really asked, which also spares other operations its start-up time.
 */
async function importToolkit() {
  delete process.env.GITHUB_EVENT_PATH
  return await import('@actions/github')
}

/** GitHub's client with the token of the workflow; goes through the proxy of the process's environment. */
export async function openOctokit(token: string, apiAddress: string): Promise<Octokit> {
  const { getOctokit } = await importToolkit()
  return getOctokit(token, { baseUrl: apiAddress, userAgent: 'managed-database-action' })
}
