/** Requests to GitHub's API: the toolkit's Octokit builds them, and the action's own client sends them. */
import type * as z from 'zod/mini'
import type { HttpRequest } from '#base/seam'
import { GitHubUnclearError } from './errors.ts'

export interface GitHubRequest {
  /** The purpose, as the start of an error message: `reading pull request 7`. */
  what: string
  /** A method and a path template. */
  route: string
  parameters?: Record<string, unknown>
  /** The required permission, in the syntax of a workflow. */
  permission: string
  /** The status of success. Default: 200. */
  success?: 201 | 204
  /** Whether it is idempotent, so that it may be repeated. Default: unless it is a POST. */
  repeatable?: boolean
  /** Whether the step succeeds without it. Then it waits less long for the end of a rate limit. */
  isOptional?: boolean
}

export interface GitHubAnswer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  data: unknown
}

/** Parses the data of an answer. @throws GitHubUnclearError if it does not have the expected shape */
export function readShape<Schema extends z.ZodMiniType>(
  what: string,
  { data }: Pick<GitHubAnswer, 'data'>,
  schema: Schema,
): z.infer<Schema> {
  const parsed = schema.safeParse(data)
  if (parsed.success) return parsed.data
  throw new GitHubUnclearError(what, 'without the expected fields')
}

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
