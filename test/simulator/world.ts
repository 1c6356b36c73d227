/** The simulated world: the server, GitHub and databases in virtual time. */
import type { EndpointParameters } from '#api/endpoint'
import { type EndpointName, type Endpoints, endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import type { HttpRequest, HttpResponse } from '#base/seam'
import type { MaskingStamp } from '#contents/notes/masking-stamp'
import type { QuarantineFailure } from '#contents/quarantine/report'
import type { SeedFile } from '#contents/sql/seeds'
import { loadMasking, loadOperations } from '#preview/operations'
import { type ApiRequest, answer } from '../../emulator/http/answer.ts'
import type { Route } from '../../emulator/http/router.ts'
import type { Profile } from '../../emulator/store/progress/profile.ts'
import type { Timing } from '../../emulator/store/progress/timing.ts'
import type { Reply } from '../../emulator/store/store.ts'
import type { Chance } from './chance.ts'
import { type Climate, drawClimate } from './climate.ts'
import { type Done, Ledger } from './ledger.ts'
import { readName } from './preview-names.ts'
import { PullRequests } from './pull-requests.ts'
import { createServer, type Server } from './server.ts'
import { createView, type View } from './view.ts'
import { VirtualTime } from './virtual-time.ts'

// A later read of a file would not arrive in virtual time.
await Promise.all([loadOperations(), loadMasking()])

export const baseUrl = 'https://api.simulated/public/api/v1'
export const keys = { publicKey: 'simulated', secretKey: 'secret-of-the-simulation' }
export const projectId = 'em00000001'

/** Anyone outside the story's runs. */
export const otherCaller = 'another caller'

/** The note in a service that is no preview: as if it were a finished preview. */
const inherited = JSON.stringify({
  service_id: 'another',
  ready: true,
  seeds: [{ file: 'seed.sql', hash: '' }],
})

/** The start of the simulated world, by the server's clock. */
const epoch = Date.parse('2026-03-01T00:00:00Z')

/** A request with its sender and time, in milliseconds of virtual time. */
export interface Sent {
  by: string
  sent: number
  request: HttpRequest
  route: Route | undefined
  /** The sender gets no true answer: the request is refused after processing, or repeated by a proxy. */
  isUntold?: true
}

/** The newer ones are for later additions, so older draws of a seed stay the same. */
export type Chances = [Chance, Chance, Chance]

/** Choices in place of the seed. */
export interface Scene {
  climate?: Climate
  timing?: Partial<Timing>
  /** The server imitates the timing and the statuses of an observed one. */
  like?: Profile | undefined
}

/** The contents of a service's database. */
export interface DatabaseContents {
  /** The notes of runs. A fork begins with its parent's. */
  text: string | undefined
  /** The server start during its last quarantine. */
  quarantinedAt: number | undefined
  /** The service whose schema is the stored baseline. A fork begins with its parent's. */
  schemaOf: string | undefined
  /** The files that were run in it, with repetitions. */
  seeds: string[]
  /** The server works until then for a job that may be gone; milliseconds of virtual time. */
  busyUntil: number
  lock: { process: { readonly isKilled: boolean } } | undefined
  /** The masking stamp; a fork inherits it. */
  stamp: MaskingStamp | undefined
  isBeingMasked: boolean
}

/** The present limits of GitHub. */
export interface GitHubLimits {
  /** The remaining requests before the limit. */
  requestsLeft: number
  /** Its rate limit: the requests before it, its milliseconds, and its present end. */
  limit: { after: number; lasts: number; until?: number } | undefined
  /** It refuses every request until the permissions change. */
  refuses: boolean
}

/** The API's server and GitHub's pull requests in virtual time, with the real events there. */
export class World {
  readonly time = new VirtualTime()
  readonly ledger = new Ledger()
  readonly climate: Climate
  readonly pullRequests: PullRequests
  readonly queue = new Set<string>()
  readonly gitHub: GitHubLimits = {
    requestsLeft: Number.POSITIVE_INFINITY,
    limit: undefined,
    refuses: false,
  }
  /** For all later additions to the simulator. */
  readonly secondChance: Chance
  /** For additions after that. */
  readonly thirdChance: Chance
  readonly lines: string[] = []
  /** The settings of previews that operations have read, such as `create-preview reads paths`. */
  readonly readings = new Set<string>()
  /** The number of open sessions, by service id. */
  readonly sessions = new Map<string, number>()
  /** The usage markers, by service id. */
  readonly usageMarkers = new Map<string, number>()
  seeds: SeedFile[] = []
  /** The objects that no quarantine can disable. */
  undone: QuarantineFailure[] = []
  /** The files at the newest commit of every pull request: each content hash by its path. */
  readonly files = new Map<string, string>()
  /** The same for the base branch. */
  readonly baseFiles = new Map<string, string>()
  /** Connection details that were published too early. */
  readonly leaks: { id: string; by: string; how: string; isUnmasked?: true }[] = []
  /** Databases that a run reported as unreachable for a quarantine. */
  readonly unreachable = new Set<string>()
  /** Whether masking leaves an original, so the search finds it. */
  hasOriginals = false
  /** Databases masked a second time, which takes masked values for originals. */
  readonly maskedTwice: string[] = []
  /** Databases in which a file ran a second time. */
  readonly filledTwice: string[] = []
  /** Databases whose schema baseline belongs to another, or was read too late. */
  readonly wrongSchemas: string[] = []
  readonly contentsOf = new Map<string, DatabaseContents>()
  /** Called for each creating request when it is sent. */
  onCreating: () => void = () => {}
  /** Called with the id of a service that a run is about to read. */
  onReading: (id: string) => void = () => {}
  /** Called for each record that a run has created. */
  onCreated: (id: string, by: string) => void = () => {}
  readonly #server: Server
  readonly #view: View
  readonly #tracing: boolean

  constructor([chance, secondChance, thirdChance]: Chances, tracing: boolean, scene?: Scene) {
    const { time, ledger } = this
    this.#tracing = tracing
    this.secondChance = secondChance
    this.thirdChance = thirdChance
    this.climate = scene?.climate ?? drawClimate(secondChance, thirdChance)
    this.pullRequests = new PullRequests(time, this.climate.gitHubLag)
    this.#server = createServer({
      now: () => this.date(),
      random: () => chance.next(),
      databases: 'invented',
      publicKey: keys.publicKey,
      timing: {
        ...(scene?.timing ?? { ...timingOf(chance), ...(this.climate.isQuick && { readyAfter: 1000 }) }),
        like: scene?.like,
      },
      project: { id: projectId, name: 'simulated' },
    })
    const now = () => time.now
    const { lag, keepsDeleted } = this.climate
    const { births } = ledger
    this.#view = createView({ server: this.#server, lag, keepsDeleted, chance: secondChance, now, births })
  }

  /** Removes GitHub's limit. */
  removeGitHubLimits(): void {
    Object.assign(this.gitHub, { requestsLeft: Number.POSITIVE_INFINITY, limit: undefined, refuses: false })
  }

  /** Milliseconds since 1970, by the server's clock. */
  date(): number {
    return epoch + this.time.now
  }

  /** Adds a line to the timeline of a replay. */
  trace(who: string, line: string): void {
    if (!this.#tracing) return
    this.lines.push(`${(this.time.now / 1000).toFixed(3).padStart(10)} s  ${who.padEnd(18)} ${line}`)
  }

  /** Reads the real state. */
  read<Name extends EndpointName>(operation: Name, parameters: EndpointParameters<Endpoints[Name]>): unknown {
    return this.#server.store.call(operation, parameters).body
  }

  services(): Service[] {
    return this.read('list-services', { project_id: projectId }) as Service[]
  }

  /** Whether a service, replica set or VPC is being deleted, with any status. */
  isEnding(id: string): boolean {
    const { state } = this.#server.store
    const services = [...state.services.values()]
    const sets = services.flatMap(({ replicaSets }) => [...replicaSets.values()])
    const all = [...services, ...sets, ...state.vpcs.values()]
    return all.some(one => one.id === id && one.work?.change.kind === 'delete')
  }

  /** The other databases of the same preview that exist, including those being deleted. */
  #duplicatesOf(id: string): string[] {
    const base = readName(this.ledger.creation(id)?.name ?? '')?.base
    if (base === undefined) return []
    const others = this.services().filter(({ name, service_id }) => {
      return service_id !== id && readName(name ?? '')?.base === base
    })
    return others.map(({ service_id }) => service_id)
  }

  /** Whether another database of the same preview exists, or existed within the last two minutes. */
  hadDuplicate(id: string): boolean {
    if (this.#duplicatesOf(id).length > 0) return true
    const { ledger, time } = this
    const base = readName(ledger.creation(id)?.name ?? '')?.base
    const isDuplicate = (done: { id: string; at: number }) =>
      done.id !== id &&
      time.now - done.at < 120_000 &&
      readName(ledger.creation(done.id)?.name ?? '')?.base === base
    return base !== undefined && ledger.deletions.some(isDuplicate)
  }

  parentOf(id: string): string | undefined {
    return this.services().find(({ service_id }) => service_id === id)?.forked_from?.service_id
  }

  /** The contents of a service's database. A fork begins with its parent's notes. */
  held(id: string): DatabaseContents {
    const known = this.contentsOf.get(id)
    if (known) return known
    const parentId = this.parentOf(id)
    const parent = parentId === undefined ? undefined : this.held(parentId)
    const { text, stamp, schemaOf } = parent ?? { text: inherited, stamp: undefined, schemaOf: 'another' }
    const held: DatabaseContents = {
      ...{ text, stamp, schemaOf, quarantinedAt: undefined, seeds: [], busyUntil: 0, lock: undefined },
      isBeingMasked: false,
    }
    this.contentsOf.set(id, held)
    return held
  }

  /** When the database of a service was last started, or created; milliseconds of virtual time. */
  startedAt(id: string): number {
    return this.time.now - this.upFor(id)
  }

  /** Milliseconds since the database of a service was last started, or created. */
  upFor(id: string): number {
    const starts = this.ledger.changes.filter(done => done.id === id && done.operation === 'start-service')
    return this.time.now - (starts.at(-1)?.at ?? this.ledger.creation(id)?.at ?? this.time.now)
  }

  /** Calls the API beside the runs; returns the id of the new record, or undefined after a refusal. */
  call<Name extends EndpointName>(
    by: string,
    operation: Name,
    parameters: EndpointParameters<Endpoints[Name]>,
  ): string | undefined {
    const { status, body } = this.#server.change(store => store.call(operation, parameters))
    this.trace('server', `${operation} by ${by}: ${status}`)
    if (status >= 300 || !('creates' in endpoints[operation])) return undefined
    return this.ledger.created({ operation, by, sent: this.time.now, at: this.time.now }, body)
  }

  process(sent: Sent): HttpResponse {
    const { by, request, route } = sent
    const asked = apiRequest(request)
    if (route?.operation === 'get-service') this.onReading(route.path.service_id ?? '')
    const { status, body } = this.#answer(asked, route)
    if (route && status < 300) this.#show(by, route, body)
    if (route && status < 300) this.#enter(sent, route, body)
    this.trace('server', `${request.method} ${asked.path} by ${by}: ${status}`)
    return {
      status,
      headers: { 'content-type': 'application/json', date: new Date(this.date()).toUTCString() },
      body: body === undefined ? '' : JSON.stringify(withUnknownFields(this.#dated(body))),
    }
  }

  #show(by: string, { operation, path }: Route, body: unknown): void {
    const { ledger } = this
    if (operation === 'get-service')
      Object.assign(ledger.shownTo(by, path.service_id ?? ''), {
        read: (body as Service).name ?? '',
        readAt: this.time.now,
      })
    if (operation !== 'list-services') return
    for (const { service_id, name } of body as Service[]) ledger.shownTo(by, service_id).listed = name ?? ''
  }

  #answer(asked: ApiRequest, route: Route | undefined): Reply {
    if (route && asked.method === 'GET')
      return this.#view(route.operation, store => answer(store, keys, asked), route.path.service_id)
    return this.#server.change(store => answer(store, keys, asked))
  }

  #enter({ by, sent, request, isUntold }: Sent, { operation, path }: Route, body: unknown): void {
    const { ledger, time } = this
    const { creates, method } = endpoints[operation] as { creates?: string; method: string }
    if (method === 'GET') return
    const at = time.now
    const done = { id: Object.values(path).at(-1) ?? '', operation, by, at }
    if (creates) {
      const id = ledger.created({ operation, by, sent, at, ...(isUntold && { isUntold }) }, body)
      ledger.duplicatesOf.set(id, this.#duplicatesOf(id))
      this.onCreated(id, by)
    } else if (method === 'DELETE') ledger.deletions.push(done)
    else ledger.changes.push(done)
    if (operation === 'rename-service') this.#rename(done, JSON.parse(request.body ?? '').name)
    if (operation === 'update-password')
      ledger.passwords.set(path.service_id ?? '', JSON.parse(request.body ?? '').password)
  }

  #rename(done: Done, name: string): void {
    const { stamp, quarantinedAt } = this.held(done.id)
    this.ledger.renames.push({ ...done, name, isMasked: stamp !== undefined && quarantinedAt !== undefined })
  }

  /** The same answer with the dates of records by another clock. */
  #dated(body: unknown): unknown {
    const { dating } = this.climate
    if (dating.kind === 'agrees') return body
    const dated = (record: unknown) => {
      const { created, ...rest } = record as { created?: string }
      if (created === undefined) return rest
      if (dating.kind === 'missing') return { ...rest, created: dating.instead }
      return { ...rest, created: new Date(Date.parse(created) + dating.by).toISOString() }
    }
    if (Array.isArray(body)) return body.map(dated)
    return typeof body === 'object' && body !== null ? dated(body) : body
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

/** Some services are quick, some slow. */
function timingOf(chance: Chance): Partial<Timing> {
  return {
    readyAfter: chance.pick([1000, 20_000, 90_000]),
    changeAfter: chance.pick([500, 10_000]),
    deleteAfter: chance.pick([500, 5000, 30_000]),
    peeringAfter: chance.pick([1000, 60_000]),
    vpcBusyFor: 1000,
  }
}

/** Adds fields of a newer version of the API. */
function withUnknownFields(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return { ...body, added_in_2027: { nested: [1, null, 'text'] } }
}
