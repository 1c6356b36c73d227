/** The types of handlers. */
import type { Answer, EndpointParameters } from '#api/endpoint'
import type { EndpointName, Endpoints } from '#api/endpoints'
import type { Address, Statistics } from '../data-plane.ts'
import type { PlannedEffect } from './effect.ts'
import type { Timing } from './progress/timing.ts'
import type { LogLine, PeeringFate, State } from './state.ts'

/**
 * The type of a service with time-series: the specification has the first, the public service returns the second
 * (docs/internals/api.md, "Records").
 */
export type TimeSeriesType = 'TIMESERIESDB' | 'TIMESCALEDB'

export interface Project {
  id: string
  name: string
}

/** Facts that only the databases know: passed with a call, so that the store stays pure. */
export interface DatabaseFacts {
  /** The time of the service's newest snapshot. Default: computed from `snapshotAfter`. */
  lastSnapshot?: (serviceId: string) => number | undefined
  /** The database's own log, for get-service-logs. */
  databaseLog?: LogLine[]
  /** The address of the service that the call creates, if it is known. */
  reserved?: Address
  /** Why no address could be reserved. */
  noAddress?: string
  /** The database's statistics, for get-metric-series. */
  statistics?: Statistics
}

/** The caller: an API key, or a person with a token. */
export type Caller = 'key' | 'person'

/** The state and the functions for a handler. */
export interface HandlerContext {
  state: State
  now: number
  random: () => number
  timing: Timing
  project: Project
  publicKey: string
  caller: Caller
  /** Upper limit for the services of the project. */
  maxServices: number
  /** Upper limit for databases: of services, their standbys and replica sets. */
  maxDatabases: number
  /** The `service_type` of a service with time-series. */
  timeSeriesType: TimeSeriesType
  /** How a peering ends, unless its account id decides it. */
  peerings: PeeringFate
  databases: DatabaseFacts
  /** The address of the service that this call creates, if it is known. */
  addressFor(serviceId: string): Address | undefined
  /** Plans an effect; returns its id, for work that waits for it. */
  start(effect: PlannedEffect): string
}

/** The emulator's behavior for a row of the contract. Throws `Refusal` if the API would refuse the call. */
export type Handler<Name extends EndpointName> = (
  context: HandlerContext,
  params: EndpointParameters<Endpoints[Name]>,
) => Answer<Endpoints[Name]>

/** A handler for each row: the compiler names a row without one. */
export type Handlers = { [Name in EndpointName]: Handler<Name> }
