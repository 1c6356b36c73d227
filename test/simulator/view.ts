/** Answers reads with earlier states of the server, like an API whose answers lag. */
import type { EndpointName } from '#api/endpoints'
import { Refusal } from '../../emulator/store/refusal.ts'
import { type Reply, refuse, type Store } from '../../emulator/store/store.ts'
import type { Chance } from './chance.ts'
import type { Lag, Lateness } from './climate.ts'
import type { Birth } from './ledger.ts'
import type { Server } from './server.ts'

type Fields = Record<string, unknown>
/** A question to the server of now or of an earlier time. */
type Ask = (store: Store) => Reply
type LateRecords = Extract<Lag, { kind: 'records' }>

const lists = new Set<EndpointName>(['list-services', 'list-replicas', 'list-vpcs', 'list-peerings'])
const records = new Set<EndpointName>(['get-service', 'get-vpc', 'get-peering'])

const idOf = (record: Fields) => String(record.service_id ?? record.id)

/** A deleted record while it still appears: with the status of a deletion, if its kind has one. */
function deletedRecord(record: Fields | undefined): Fields | undefined {
  if (record?.service_id !== undefined) return { ...record, status: 'DELETING' }
  return record?.nodes === undefined ? record : { ...record, status: 'deleting' }
}

/** The server's answers about records, which lag behind writes. */
export class View {
  readonly #server: Server
  readonly #lag: Lag
  readonly #keepsDeleted: boolean
  readonly #chance: Chance
  readonly #now: () => number
  readonly #births: ReadonlyMap<string, Birth>
  readonly #lateness = new Map<string, Partial<Record<Lateness, number>>>()

  constructor(parts: {
    server: Server
    lag: Lag
    /** Whether deleted services stay in answers forever, in status DELETED. */
    keepsDeleted?: boolean
    chance: Chance
    now: () => number
    births: ReadonlyMap<string, Birth>
  }) {
    this.#server = parts.server
    this.#lag = parts.lag
    this.#keepsDeleted = parts.keepsDeleted ?? false
    this.#chance = parts.chance
    this.#now = parts.now
    this.#births = parts.births
  }

  /** `id`: of a record requested by its id. */
  read(operation: EndpointName, ask: Ask, id?: string): Reply {
    const reply = this.#read(operation, ask)
    if (!this.#keepsDeleted) return reply
    if (operation === 'get-service' && reply.status === 404) {
      const [body] = this.#deleted().filter(({ service_id }) => service_id === id)
      return body ? { status: 200, body, effects: [] } : reply
    }
    if (operation !== 'list-services' || reply.status >= 300) return reply
    const listed = reply.body as Fields[]
    const isListed = (record: Fields) => listed.some(({ service_id }) => service_id === record.service_id)
    return { ...reply, body: [...listed, ...this.#deleted().filter(record => !isListed(record))] }
  }

  /** Deleted services, as a server shows them that keeps them all. */
  #deleted(): Fields[] {
    const { store } = this.#server
    const listed = store.call('list-services', { project_id: store.project.id }).body as Fields[]
    const there = new Set(listed.map(idOf))
    return [...this.#births]
      .filter(([id, { record }]) => record.service_id !== undefined && !there.has(id))
      .map(([, { record }]) => ({ ...record, status: 'DELETED' }))
  }

  #read(operation: EndpointName, ask: Ask): Reply {
    const lag = this.#lag
    const isList = lists.has(operation)
    if (lag.kind === 'none' || !(isList || records.has(operation))) return ask(this.#server.store)
    if (lag.kind === 'records') return this.#readLate(lag, isList, ask)
    const isStale = lag.stale === 'both' || (lag.stale === 'lists') === isList
    if (!isStale) return ask(this.#server.store)
    return ask(this.#server.ago(lag.kind === 'steady' ? lag.by : this.#chance.pick(lag.by)))
  }

  #readLate(lag: LateRecords, isList: boolean, ask: Ask): Reply {
    const versions = new Versions(ask, this.#server, isList)
    const current = versions.reply
    const { changed = 0, gone = 0 } = lag.upTo
    // The lag of each record is one of a few values, so few copies of the server are enough.
    const ids = versions.idsOf([0, ...this.#amounts(changed), ...this.#amounts(gone)])
    const seen = ids.flatMap(id => this.#recordNow(id, versions, isList) ?? [])
    if (isList) return current.status < 300 ? { ...current, body: seen } : current
    if (seen[0]) return { status: 200, body: seen[0], effects: [] }
    return current.status < 300 ? refuse(new Refusal(404, 'NOT_FOUND', 'no such record')) : current
  }

  #amounts(most: number): number[] {
    return most === 0 ? [0] : [0, most / 3, most]
  }

  #latenessOf(id: string): Partial<Record<Lateness, number>> {
    const known = this.#lateness.get(id)
    if (known) return known
    const { upTo } = this.#lag as LateRecords
    const drawn = Object.entries(upTo).map(([way, most]) => [way, this.#chance.pick(this.#amounts(most))])
    this.#lateness.set(id, Object.fromEntries(drawn))
    return Object.fromEntries(drawn)
  }

  /** A record as it appears now; undefined before it appears, or after it disappears. */
  #recordNow(id: string, versions: Versions, isList: boolean): Fields | undefined {
    const { listed = 0, found = 0, changed = 0, gone = 0, forked_from = 0 } = this.#latenessOf(id)
    const birth = this.#births.get(id)
    const age = birth ? this.#now() - birth.at : Number.POSITIVE_INFINITY
    if (age < (isList ? listed : found)) return undefined
    const unchanged = age < changed ? birth?.record : undefined
    const seen = versions.of(id, changed) ?? unchanged ?? deletedRecord(versions.of(id, gone))
    if (seen === undefined || age >= forked_from) return seen
    const { forked_from: _, ...rest } = seen
    return rest
  }
}

/** One answer as it was at several moments, record by record. */
class Versions {
  readonly reply: Reply
  readonly #ask: Ask
  readonly #server: Server
  readonly #isList: boolean
  readonly #byLag = new Map<number, Map<string, Fields>>()

  constructor(ask: Ask, server: Server, isList: boolean) {
    this.#ask = ask
    this.#server = server
    this.#isList = isList
    this.reply = ask(server.store)
    this.#byLag.set(0, this.#index(this.reply))
  }

  of(id: string, lag: number): Fields | undefined {
    return this.#at(lag).get(id)
  }

  idsOf(lags: number[]): string[] {
    return [...new Set(lags.flatMap(lag => [...this.#at(lag).keys()]))]
  }

  #at(lag: number): Map<string, Fields> {
    const known = this.#byLag.get(lag)
    if (known) return known
    const index = this.#index(this.#ask(this.#server.ago(lag)))
    this.#byLag.set(lag, index)
    return index
  }

  #index({ status, body }: Reply): Map<string, Fields> {
    if (status >= 300) return new Map()
    const found = (this.#isList ? body : [body]) as Fields[]
    return new Map(found.map(record => [idOf(record), record]))
  }
}
