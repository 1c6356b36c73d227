// A stub of the API and of GitHub for benchmarks.

import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

const repositoryId = 1
const hash = createHash('sha256').update(String(repositoryId)).digest('hex').slice(0, 8)
/** One hour old: enough for prune, and for create-preview to trust its lists. */
const age = 3_600_000
export const parent = 'parent0001'

function renderService(id: string, name: string) {
  return {
    service_id: id,
    project_id: 'project1',
    name,
    region_code: 'us-east-1',
    service_type: 'TIMESCALEDB',
    created: new Date(Date.now() - age).toISOString(),
    status: 'READY',
    paused: false,
    resources: [{ id: 'r1', spec: { cpu_millis: 500, memory_gbs: 2, volume_type: 'gp3' } }],
    metadata: { environment: 'DEV' },
    endpoint: { host: `${id}.project1.database.example`, port: 5432 },
    ...(id !== parent && { forked_from: { project_id: 'project1', service_id: parent, is_standby: false } }),
    ha_replicas: { sync_replica_count: 0, replica_count: 0 },
    connection_pooler: { endpoint: { host: `${id}.project1.pooler.example`, port: 5433 } },
    read_replica_sets: [],
  }
}

const renderPreview = (number: number) =>
  renderService(`s${String(number).padStart(9, '0')}`, `preview-pr-${number}-${hash}-abc123`)

interface Answer {
  status: number
  body?: unknown
}

interface StubOptions {
  previews?: number
  /** Milliseconds until an answer. */
  latency?: number
  /** Milliseconds after the start until a service that is read by its id is READY. */
  readyAfter?: number
  /** Whether all pull requests are closed; otherwise all are open. */
  closed?: boolean
}

/** The API with a parent and its previews, and a GitHub with their pull requests, without comments. */
export async function startStub({ previews = 0, latency = 0, readyAfter = 0, closed = false }: StubOptions) {
  const numbers = Array.from({ length: previews }, (_, index) => index + 1)
  const all = [renderService(parent, 'parent'), ...numbers.map(renderPreview)]
  const services = new Map(all.map(one => [one.service_id, one]))
  const start = Date.now()
  const counts = new Map<string, number>()
  let list: string | undefined

  function answerForService(method: string, id: string, path: string): Answer {
    const found = services.get(id)
    if (found === undefined) return { status: 404, body: { code: 'NOT_FOUND', message: 'no such service' } }
    const status = Date.now() - start < readyAfter ? 'CONFIGURING' : 'READY'
    if (method === 'GET') return { status: 200, body: { ...found, status } }
    if (method === 'DELETE') {
      services.delete(id)
      list = undefined
      return { status: 202 }
    }
    if (!path.endsWith('/forkService')) return { status: 204 }
    const fork = renderService('fork000001', 'fork')
    services.set(fork.service_id, fork)
    return { status: 202, body: { ...fork, initial_password: 'password-of-the-fork' } }
  }

  /** The answer to a query for many pull requests. */
  function answerForMany(query: string): Answer {
    const facts = { state: closed ? 'CLOSED' : 'OPEN', isDraft: false, labels: { totalCount: 0, nodes: [] } }
    const repository = { databaseId: repositoryId }
    const asked = [...query.matchAll(/p(\d+): pullRequest/g)].map(([, number]) => Number(number))
    const told = asked.map(number => [`p${number}`, { ...facts, number, repository }])
    const body = { ...repository, pullRequests: { totalCount: previews }, ...Object.fromEntries(told) }
    return { status: 200, body: { data: { repository: body } } }
  }

  function answerForGitHub(path: string, sent: string): Answer {
    if (path === '/user') return { status: 200, body: { login: 'somebody' } }
    if (path === '/graphql') return answerForMany(sent)
    const [, number] = /\/pulls\/(\d+)$/.exec(path) ?? []
    if (number === undefined) return { status: 200, body: [] }
    const base = { repo: { id: repositoryId } }
    const state = closed ? 'closed' : 'open'
    return { status: 200, body: { number: Number(number), state, labels: [], draft: false, base } }
  }

  const server = createServer((request, response) => {
    const { method = '', url = '' } = request
    const path = url.replace(/\?.*/, '')
    const [, id] = /\/services\/(\w+)/.exec(path) ?? []
    const kind = id ? `${method} service` : path.endsWith('/services') ? 'list' : 'GitHub'
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    const respond = (sent: string) => {
      const isList = kind === 'list'
      if (isList) list ??= JSON.stringify([...services.values()])
      const answer = id ? answerForService(method, id, path) : answerForGitHub(path, sent)
      response.writeHead(isList ? 200 : answer.status, { 'content-type': 'application/json' })
      response.end(isList ? list : JSON.stringify(answer.body))
    }
    text(request).then(sent => (latency === 0 ? respond(sent) : setTimeout(respond, latency, sent)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    /** The number of previews. */
    left: () => services.size - 1,
    stop: () => new Promise(resolve => server.close(resolve).closeAllConnections()),
  }
}
