import type { Answer, EndpointParameters } from '#api/endpoint'
import type { EndpointName, Endpoints } from '#api/endpoints'
import type { Address, Figures } from '../data-plane.ts'
import type { PlannedEffect } from './effect.ts'
import type { Timing } from './progress/timing.ts'
import type { LogLine, PeeringFate, State } from './state.ts'

/** The specification has the first, the public service says the second (docs/internals/api.md, "Records"). */
export type TimeSeriesType = 'TIMESERIESDB' | 'TIMESCALEDB'

export interface Project {
  id: string
  name: string
}

/** What only the databases know and the store needs: passed in with a call, so that the store stays pure. */
export interface DatabaseFacts {
  /** When the service's newest snapshot was taken. Left out: computed from `snapshotAfter`. */
  lastSnapshot?: (serviceId: string) => number | undefined
  /** The database's own log, for get-service-logs. */
  databaseLog?: LogLine[]
  /** Where the service that the call creates will be reached. Left out: not known yet. */
  reserved?: Address
  /** Why no address could be reserved. */
  noAddress?: string
  /** What the database says of itself, for get-metric-series. */
  figures?: Figures
}

/** Who a request comes from: an API key, or a person with a token. */
export type Caller = 'key' | 'person'

/** All that a handler may see and do. */
export interface HandlerContext {
  state: State
  now: number
  random: () => number
  timing: Timing
  project: Project
  publicKey: string
  caller: Caller
  /** The most services that the project may have. */
  maxServices: number
  /** The most databases: of services, their standbys and replica sets. */
  maxDatabases: number
  /** What `service_type` says of a service with time-series. */
  timeSeriesType: TimeSeriesType
  /** How a peering ends, unless its account id decides it. */
  peerings: PeeringFate
  databases: DatabaseFacts
  /** The cached value of this name, if nothing has changed since; otherwise what `make` returns. */
  remembered<Shown extends object>(name: string, make: () => Shown): Shown
  /** Where the service that this call creates will be reached, if that is known. */
  addressFor(serviceId: string): Address | undefined
  /** Plans an effect; returns its id, which the work that needs it can wait for. */
  start(effect: PlannedEffect): string
}

/** What the emulator does for a row of the contract. Throws `Refusal` where the API would turn it down. */
export type Handler<Name extends EndpointName> = (
  context: HandlerContext,
  params: EndpointParameters<Endpoints[Name]>,
) => Answer<Endpoints[Name]>

/** A handler for each row: the compiler names a row that has none. */
export type Handlers = { [Name in EndpointName]: Handler<Name> }

/** Some of the handlers, kept together by what they work on. */
export type HandlersOf<Names extends EndpointName> = Pick<Handlers, Names>
