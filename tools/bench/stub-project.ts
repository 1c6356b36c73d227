import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const repositoryId = 1
const parent = 'parent0001'
const hash = createHash('sha256').update(String(repositoryId)).digest('hex').slice(0, 8)
/** An hour ago when it is made: old enough for prune, and for create-preview to trust its lists. */
const age = 3_600_000

/** The number of the pull request whose preview create-preview looks for. */
export const wanted = 1

function renderPreview(number: number) {
  const id = `s${String(number).padStart(9, '0')}`
  return {
    service_id: id,
    project_id: 'project1',
    name: `preview-pr-${number}-${hash}-abc123`,
    region_code: 'us-east-1',
    service_type: 'TIMESCALEDB',
    created: new Date(Date.now() - age).toISOString(),
    status: 'READY',
    paused: false,
    resources: [{ id: 'r1', spec: { cpu_millis: 500, memory_gbs: 2, volume_type: 'gp3' } }],
    metadata: { environment: 'DEV' },
    endpoint: { host: `${id}.project1.database.example`, port: 5432 },
    forked_from: { project_id: 'project1', service_id: parent, is_standby: false },
    ha_replicas: { sync_replica_count: 0, replica_count: 0 },
    connection_pooler: { endpoint: { host: `${id}.project1.pooler.example`, port: 5433 } },
    read_replica_sets: [],
  }
}

interface Answer {
  status: number
  body?: unknown
}

const missing: Answer = { status: 404, body: { code: 'NOT_FOUND', message: 'no such service' } }

export interface StubProjectOptions {
  previews: number
  /** Milliseconds until an answer. */
  latency: number
  /** Milliseconds after the start until a service that is read by its id is READY. */
  readyAfter?: number
  /** Whether all pull requests are closed; otherwise all are open. */
  closed: boolean
}

/** A project full of previews, and a GitHub that has their pull requests. Nobody has commented. */
export async function startStubProject({ previews, latency, readyAfter = 0, closed }: StubProjectOptions) {
  const numbers = Array.from({ length: previews }, (_, index) => index + wanted)
  const services = new Map(numbers.map(number => renderPreview(number)).map(one => [one.service_id, one]))
  const start = Date.now()
  const status = () => (Date.now() - start < readyAfter ? 'CONFIGURING' : 'READY')
  const counts = new Map<string, number>()
  let text: string | undefined

  function answerForService(method: string, id: string): Answer {
    const found = services.get(id)
    if (found === undefined) return missing
    if (method === 'GET') return { status: 200, body: { ...found, status: status() } }
    if (method === 'POST') return { status: 204 }
    services.delete(id)
    text = undefined
    return { status: 202 }
  }

  /** The answer to a question about many pull requests at once. */
  function answerForMany(query: string): Answer {
    const facts = { state: closed ? 'CLOSED' : 'OPEN', isDraft: false, labels: { totalCount: 0, nodes: [] } }
    const repository = { databaseId: repositoryId }
    const asked = [...query.matchAll(/p(\d+): pullRequest/g)].map(([, number]) => Number(number))
    const told = asked.map(number => [`p${number}`, { ...facts, number, repository }])
    const all = { ...repository, pullRequests: { totalCount: previews }, ...Object.fromEntries(told) }
    return { status: 200, body: { data: { repository: all } } }
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
    let sent = ''
    request.setEncoding('utf8').on('data', chunk => {
      sent += chunk
    })
    request.on('end', () => {
      setTimeout(() => {
        const isList = kind === 'list'
        if (isList) text ??= JSON.stringify([...services.values()])
        const answer = id ? answerForService(method, id) : answerForGitHub(path, sent)
        response.writeHead(isList ? 200 : answer.status, { 'content-type': 'application/json' })
        response.end(isList ? text : JSON.stringify(answer.body))
      }, latency)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    repositoryId,
    parent,
    counts,
    /** How many services there are. */
    left: () => services.size,
    stop: () => new Promise(resolve => server.close(resolve).closeAllConnections()),
  }
}
