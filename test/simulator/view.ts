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

interface ViewParts {
  server: Server
  lag: Lag
  /** Whether deleted services stay in answers forever, in status DELETED. */
  keepsDeleted?: boolean
  chance: Chance
  now: () => number
  births: ReadonlyMap<string, Birth>
}

/** Reads the server's records; its answers lag behind writes. `id`: of a record requested by its id. */
export type View = (operation: EndpointName, ask: Ask, id?: string) => Reply

export function createView({ server, lag, keepsDeleted = false, chance, now, births }: ViewParts): View {
  const read =
    lag.kind === 'records' ? readLate(lag, { server, chance, now, births }) : readStale(lag, server, chance)
  if (!keepsDeleted) return read
  return (operation, ask, id) => {
    const reply = read(operation, ask)
    if (operation === 'get-service' && reply.status === 404) {
      const body = deletedServices(server, births).find(({ service_id }) => service_id === id)
      return body ? { status: 200, body, effects: [] } : reply
    }
    if (operation !== 'list-services' || reply.status >= 300) return reply
    const listed = reply.body as Fields[]
    const isListed = (record: Fields) => listed.some(({ service_id }) => service_id === record.service_id)
    return {
      ...reply,
      body: [...listed, ...deletedServices(server, births).filter(record => !isListed(record))],
    }
  }
}

/** Deleted services, as a server shows them that keeps them all. */
function deletedServices({ store }: Server, births: ViewParts['births']): Fields[] {
  const listed = store.call('list-services', { project_id: store.project.id }).body as Fields[]
  const there = new Set(listed.map(idOf))
  return [...births]
    .filter(([id, { record }]) => record.service_id !== undefined && !there.has(id))
    .map(([, { record }]) => ({ ...record, status: 'DELETED' }))
}

/** The answers of one server, or of several replicas, some of which are behind. */
function readStale(lag: Exclude<Lag, LateRecords>, server: Server, chance: Chance): View {
  return (operation, ask) => {
    const isList = lists.has(operation)
    if (lag.kind === 'none' || !(isList || records.has(operation))) return ask(server.store)
    const isStale = lag.stale === 'both' || (lag.stale === 'lists') === isList
    if (!isStale) return ask(server.store)
    return ask(server.ago(lag.kind === 'steady' ? lag.by : chance.pick(lag.by)))
  }
}

/** The lag of each record is one of a few values, so few copies of the server are enough. */
const lagsUpTo = (most: number) => (most === 0 ? [0] : [0, most / 3, most])

/** Answers in which each record has its own lag. */
function readLate(
  { upTo }: LateRecords,
  { server, chance, now, births }: Pick<ViewParts, 'server' | 'chance' | 'now' | 'births'>,
): View {
  const latenessOf = new Map<string, Partial<Record<Lateness, number>>>()
  const drawLateness = (id: string) => {
    const known = latenessOf.get(id)
    if (known) return known
    const drawn = Object.entries(upTo).map(([way, most]) => [way, chance.pick(lagsUpTo(most))])
    const lateness: Partial<Record<Lateness, number>> = Object.fromEntries(drawn)
    latenessOf.set(id, lateness)
    return lateness
  }
  /** A record as it appears now; undefined before it appears, or after it disappears. */
  const recordNow = (id: string, versionAt: VersionAt, isList: boolean): Fields | undefined => {
    const { listed = 0, found = 0, changed = 0, gone = 0, forked_from = 0 } = drawLateness(id)
    const birth = births.get(id)
    const age = birth ? now() - birth.at : Number.POSITIVE_INFINITY
    if (age < (isList ? listed : found)) return undefined
    const unchanged = age < changed ? birth?.record : undefined
    const seen = versionAt(changed).get(id) ?? unchanged ?? deletedRecord(versionAt(gone).get(id))
    if (seen === undefined || age >= forked_from) return seen
    const { forked_from: _, ...rest } = seen
    return rest
  }
  return (operation, ask) => {
    const current = ask(server.store)
    const isList = lists.has(operation)
    if (!(isList || records.has(operation))) return current
    const versionAt = readVersions(ask, server, isList, current)
    const { changed = 0, gone = 0 } = upTo
    const lags = [0, ...lagsUpTo(changed), ...lagsUpTo(gone)]
    const ids = new Set(lags.flatMap(by => [...versionAt(by).keys()]))
    const seen = [...ids].flatMap(id => recordNow(id, versionAt, isList) ?? [])
    if (isList) return current.status < 300 ? { ...current, body: seen } : current
    if (seen[0]) return { status: 200, body: seen[0], effects: [] }
    return current.status < 300 ? refuse(new Refusal(404, 'NOT_FOUND', 'no such record')) : current
  }
}

/** The records in one answer, by their ids, as they were some milliseconds ago. */
type VersionAt = (lag: number) => Map<string, Fields>

function readVersions(ask: Ask, server: Server, isList: boolean, current: Reply): VersionAt {
  const index = ({ status, body }: Reply) => {
    const found = status >= 300 ? [] : ((isList ? body : [body]) as Fields[])
    return new Map(found.map(record => [idOf(record), record]))
  }
  const byLag = new Map([[0, index(current)]])
  return lag => {
    const version = byLag.get(lag) ?? index(ask(server.ago(lag)))
    byLag.set(lag, version)
    return version
  }
}
