/** Starts the fake GitHub. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { LocalServers } from '../local-servers.ts'
import { type Answer, notFound, refuse } from './answer.ts'
import type { GitHubFault } from './faults.ts'
import { findRoute, routes } from './routes.ts'
import { grantOf } from './tokens.ts'
import { World } from './world.ts'

/** A request as the fake saw it. */
export interface GitHubRequestSeen {
  method: string
  /** The path below the address of the API, without the query. */
  path: string
  query: Record<string, string>
  /** The route in the notation of GitHub's documentation. Undefined if the fake does not have it. */
  route: string | undefined
  headers: NodeJS.Dict<string | string[]>
  body: unknown
}

export interface FakeGitHubOptions {
  /** `owner/name`. */
  repository?: string
  repositoryId?: number
  /** `/api/v3` for a GitHub Enterprise Server. */
  apiPath?: '' | '/api/v3'
}

/** The headers of every answer of GitHub. */
const usualHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'x-github-media-type': 'github.v3; format=json',
  'x-ratelimit-limit': '5000',
  'x-ratelimit-remaining': '4987',
  'x-ratelimit-used': '13',
  'x-ratelimit-resource': 'core',
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A path after the API's address. An Enterprise Server has GraphQL beside /api/v3, at /api/graphql. */
function pathBelow(apiPath: string, path: string): string {
  const graphql = apiPath === '' ? '/graphql' : '/api/graphql'
  if (path === graphql) return '/graphql'
  return path.startsWith(`${apiPath}/`) && !path.endsWith('/graphql') ? path.slice(apiPath.length) : path
}

/** Answers a request as GitHub would, without a fault. */
function answer(seen: GitHubRequestSeen, url: URL, world: World): Answer {
  const grant = grantOf(seen.headers.authorization as string | undefined)
  if (grant === 'unknown') return refuse(401, 'Bad credentials')
  const found = findRoute(seen.method, seen.path)
  if (found === undefined) return notFound
  if (grant === 'anonymous') return found.repository ? notFound : refuse(401, 'Requires authentication')
  const ours = `${world.repository.owner.login}/${world.repository.name}`
  if (found.repository && (!grant.seesRepository || found.repository.toLowerCase() !== ours.toLowerCase()))
    return notFound
  return routes[found.route]?.({ url, body: seen.body, grant, world }, found.number) ?? notFound
}

function send(
  response: ServerResponse,
  { status, headers, body }: Answer,
  cut: 'cut' | 'stall' | 'half' | 'whole',
): void {
  const text = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const half = text.subarray(0, text.length / 2)
  const reset = Math.ceil(Date.now() / 1000) + 3600
  const sent = cut === 'half' ? half : text
  response.writeHead(status, {
    ...usualHeaders,
    'x-ratelimit-reset': String(reset),
    'content-length': sent.length,
    ...headers,
  })
  if (cut === 'cut') response.write(half, () => response.destroy())
  else if (cut === 'stall') response.write(half)
  else response.end(sent)
}

const actsBefore = (fault: GitHubFault | undefined) =>
  fault?.kind === 'answer' || fault?.kind === 'reset' || fault?.kind === 'hang'

function respond(response: ServerResponse, fault: GitHubFault | undefined, act: () => Answer): void {
  const right = actsBefore(fault) ? undefined : act()
  if (fault?.kind === 'hang') return
  if (fault?.kind === 'reset' || fault?.kind === 'reset-after') response.destroy()
  else if (fault?.kind === 'answer' || fault?.kind === 'answer-after') send(response, fault.answer, 'whole')
  else if (right) send(response, right, fault?.kind ?? 'whole')
}

/**
 * A GitHub of one repository, with its state in memory, on a free port. Its answers are checked against GitHub's
 * published OpenAPI by test/github/fake.test.ts.
 */
export class FakeGitHub extends World {
  /** All requests so far, including those with a fault. */
  readonly requests: GitHubRequestSeen[] = []
  readonly #servers = new LocalServers()
  #faults: (request: GitHubRequestSeen) => GitHubFault | undefined = () => undefined

  /** The runner's environment variables for this GitHub. */
  get environment() {
    const { owner, name, id } = this.repository
    return {
      ...{ GITHUB_API_URL: this.addresses.api, GITHUB_SERVER_URL: this.addresses.web },
      ...{ GITHUB_REPOSITORY: `${owner.login}/${name}`, GITHUB_REPOSITORY_ID: String(id) },
    }
  }

  /** Injects faults into requests, until the next call. */
  injectFaults(faults: (request: GitHubRequestSeen) => GitHubFault | undefined): void {
    this.#faults = faults
  }

  async start(apiPath: string): Promise<void> {
    const server = createServer((request, response) => {
      this.#handle(request, response, apiPath).catch(error => response.destroy(error))
    })
    // Closing an idle connection just when it is used again would fail a test on a busy machine.
    server.keepAliveTimeout = 0
    this.addresses.api = `http://127.0.0.1:${await this.#servers.listen(server)}${apiPath}`
  }

  async stop(): Promise<void> {
    await this.#servers.close()
  }

  async #handle(request: IncomingMessage, response: ServerResponse, apiPath: string): Promise<void> {
    const url = new URL(request.url ?? '', this.addresses.api)
    const path = pathBelow(apiPath, url.pathname)
    const method = request.method ?? 'GET'
    const seen = {
      method,
      path,
      query: Object.fromEntries(url.searchParams),
      route: findRoute(method, path)?.route,
      headers: request.headers,
      body: await readJson(request),
    }
    this.requests.push(seen)
    respond(response, this.#faults(seen), () => answer(seen, url, this))
  }
}

export async function startFakeGitHub(options: FakeGitHubOptions = {}): Promise<FakeGitHub> {
  const { repository: name = 'octo-org/shop', repositoryId: id = 1296269, apiPath = '' } = options
  const fake = new FakeGitHub({ name, id })
  await fake.start(apiPath)
  return fake
}
