/** GitHub's own client, as far as this folder uses it. */
export interface Octokit {
  /** `route` is a method and a path template. Rejects for a status of 400 and above. */
  request(
    route: string,
    parameters: Record<string, unknown>,
  ): Promise<{ status: number; headers: Record<string, unknown>; data: unknown }>
}

const publicApi = 'https://api.github.com'

/** Where GitHub's API is: the public one, or that of a GitHub Enterprise Server (with a path like /api/v3). */
export function apiAddressOf(environment: NodeJS.ProcessEnv): string {
  return (environment.GITHUB_API_URL || publicApi).replace(/(?<!\/)\/+$/, '')
}

/**
 * The toolkit reads the event's file as soon as it is imported: a malformed one would throw, a missing one be
 * told on stdout (@actions/github 9, src/context.ts). So it is imported only when GitHub is really asked, which
 * also spares all other operations its start, and with the file out of its sight: event.ts reads that.
 */
async function importToolkit() {
  const { GITHUB_EVENT_PATH } = process.env
  delete process.env.GITHUB_EVENT_PATH
  try {
    return await import('@actions/github')
  } finally {
    if (GITHUB_EVENT_PATH !== undefined) process.env.GITHUB_EVENT_PATH = GITHUB_EVENT_PATH
  }
}

/** GitHub's client with the token of the workflow; goes through the proxy of the process's environment. */
export async function openOctokit(token: string, apiAddress: string): Promise<Octokit> {
  const { getOctokit } = await importToolkit()
  return getOctokit(token, { baseUrl: apiAddress, userAgent: 'managed-database-action' })
}
