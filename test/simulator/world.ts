import { type ApiRequest, answer } from '../../emulator/http/answer.ts'
import { findRoute, type Route } from '../../emulator/http/router.ts'
import { Store } from '../../emulator/store/store.ts'
import type { Timing } from '../../emulator/store/timing.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { endpoints } from '../../src/api/endpoints.ts'
import type { Service } from '../../src/api/records.ts'
import type { HttpRequest, HttpResponse } from '../../src/client/seam.ts'
import { hashRepository, parsePreviewName } from '../../src/preview/name.ts'
import type { Chance } from './chance.ts'
import { Ledger } from './ledger.ts'
import { VirtualTime } from './virtual-time.ts'

export const baseUrl = 'https://api.simulated/public/api/v1'
export const keys = { publicKey: 'simulated', secretKey: 'secret-of-the-simulation' }
export const projectId = 'em00000001'
export const repositoryId = '4711'
export const repositoryHash = hashRepository(repositoryId)

/** When the simulated world begins, by the server's clock. */
const epoch = Date.parse('2026-03-01T00:00:00Z')

/** The API's server and GitHub's pull requests, in virtual time; and what really happened there. */
export class World {
  readonly time = new VirtualTime()
  readonly ledger = new Ledger()
  readonly pullRequests = new Map<number, 'open' | 'closed'>()
  readonly lines: string[] = []
  readonly store: Store
  readonly #tracing: boolean

  constructor(chance: Chance, tracing: boolean) {
    this.#tracing = tracing
    this.store = new Store({
      now: () => this.date(),
      random: () => chance.next(),
      databases: 'invented',
      publicKey: keys.publicKey,
      timing: timingOf(chance),
      project: { id: projectId, name: 'simulated' },
    })
  }

  /** Milliseconds since 1970, by the server's clock. */
  date(): number {
    return epoch + this.time.now
  }

  /** A line of the timeline that a replay shows. */
  tell(who: string, line: string): void {
    if (!this.#tracing) return
    this.lines.push(`${(this.time.now / 1000).toFixed(3).padStart(10)} s  ${who.padEnd(18)} ${line}`)
  }

  services(): Service[] {
    return this.store.call('list-services', { project_id: projectId }).body as Service[]
  }

  /** The server processes a request of `who`. */
  process(who: string, request: HttpRequest): HttpResponse {
    const asked = apiRequest(request)
    const route = findRoute(asked.method, asked.path)
    const { status, body } = answer(this.store, keys, asked)
    if (route && 'operation' in route && status < 300) this.#enter(who, route, asked, body)
    this.tell('server', `${request.method} ${asked.path} by ${who}: ${status}`)
    return {
      status,
      headers: { 'content-type': 'application/json', date: new Date(this.date()).toUTCString() },
      body: body === undefined ? '' : JSON.stringify(withUnknownFields(body)),
    }
  }

  #enter(who: string, { operation, path }: Route, asked: ApiRequest, body: unknown): void {
    const row: Endpoint = endpoints[operation]
    if (row.creates) this.ledger.created(operation, who, this.time.now, body)
    if (operation.startsWith('delete-')) {
      const id = Object.values(path).at(-1) ?? ''
      this.ledger.deletions.push({ id, by: who, at: this.time.now, pullRequestState: this.#stateOf(id) })
    }
    if (operation === 'update-password')
      this.ledger.passwords.set(path.service_id ?? '', JSON.parse(asked.body).password)
  }

  #stateOf(serviceId: string): 'open' | 'closed' | undefined {
    const name = this.ledger.creations.find(({ id }) => id === serviceId)?.name ?? ''
    return this.pullRequests.get(parsePreviewName(name)?.pullRequest ?? 0)
  }
}

function apiRequest({ method, url, headers, body }: HttpRequest): ApiRequest {
  const [path = '', query = ''] = url.slice(baseUrl.length).split('?')
  return {
    method,
    path,
    query: new URLSearchParams(query),
    authorization: headers.authorization,
    contentType: headers['content-type'],
    body: body ?? '',
  }
}

/** Some services are quick, some take their time. */
function timingOf(chance: Chance): Partial<Timing> {
  return {
    readyAfter: chance.pick([1000, 20_000, 90_000]),
    changeAfter: chance.pick([500, 10_000]),
    deleteAfter: chance.pick([500, 5000, 30_000]),
    peeringAfter: chance.pick([1000, 60_000]),
    vpcBusyFor: 1000,
  }
}

/** What a newer version of the API may say beside what is known. */
function withUnknownFields(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return { ...body, added_in_2027: { nested: [1, null, 'text'] } }
}
