import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The little of GitHub that a preview needs: one pull request, and a comment on it. */
export interface StandIn {
  address: string
  /** The comment as it stands, without a comment the empty text. */
  comment(): string
  /** Closes the pull request. */
  close(): void
  stop(): Promise<void>
}

export const repository = { full_name: 'acme/shop', id: 1296269 }
export const commit = '4f6c1d0a9b3e57c2846fd1e0b7a95c3d28e41f60'

/** As an event and an answer of GitHub hold it. */
export const pullRequest = {
  ...{ number: 12, state: 'open', draft: false, labels: [], updated_at: '2026-01-31T12:00:00Z' },
  ...{ head: { sha: commit, repo: repository }, base: { repo: repository } },
}

const bot = { login: 'github-actions[bot]', id: 41898282, type: 'Bot' }

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return (JSON.parse(text) as { body: string }).body
}

/** Starts it on a free port. */
export async function startStandIn(): Promise<StandIn> {
  let body = ''
  let state = 'open'
  /** As GraphQL tells of it, under the name that the action gives it. */
  const asNode = () => ({
    ...{
      number: 12,
      state: state.toUpperCase(),
      closedAt: null,
      updatedAt: pullRequest.updated_at,
      isDraft: false,
    },
    ...{ labels: { totalCount: 0, nodes: [] }, repository: { databaseId: repository.id } },
  })
  const record = () => ({
    ...{ id: 1, body, user: bot },
    html_url: `https://github.com/${repository.full_name}/pull/12#issuecomment-1`,
  })
  async function answer(request: IncomingMessage): Promise<[number, unknown]> {
    const path = request.url?.split('?')[0] ?? ''
    // The token of a workflow has no user of its own; its name is asked for by GraphQL.
    if (path === '/user') return [403, { message: 'Resource not accessible by integration' }]
    if (path === '/graphql') {
      const about = { databaseId: repository.id, pullRequests: { totalCount: 1 }, p12: asNode() }
      return [200, { data: { viewer: { login: bot.login }, repository: about } }]
    }
    if (path.endsWith('/pulls/12')) return [200, { ...pullRequest, state }]
    if (request.method === 'GET' && path.endsWith('/issues/comments/1')) return [200, record()]
    if (request.method === 'GET') return [200, body === '' ? [] : [record()]]
    body = await readBody(request)
    return [request.method === 'POST' ? 201 : 200, record()]
  }
  const server = createServer((request, response) => {
    const respond = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    answer(request).then(
      ([status, value]) => respond(status, value),
      error => respond(500, { message: String(error) }),
    )
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    comment: () => body,
    close() {
      state = 'closed'
    },
    stop: () => new Promise(done => server.close(() => done())),
  }
}
