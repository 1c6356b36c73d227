import type { Action } from './effect.ts'
import type { LogLine, PeeringFate, State } from './state.ts'
import type { Timing } from './timing.ts'

export interface Project {
  id: string
  name: string
}

/** What the data plane knows and the store asks for: handed in with a call, so that the store stays pure. */
export interface World {
  /** When the service's newest snapshot was taken. Left out: computed from `snapshotAfter`. */
  lastSnapshot?: (serviceId: string) => number | undefined
  /** The database's own log, for get-service-logs. */
  databaseLog?: LogLine[]
}

/** All that a handler may see and do. */
export interface Context {
  state: State
  now: number
  random: () => number
  timing: Timing
  project: Project
  publicKey: string
  /** At most so many services in the project. */
  maxServices: number
  /** What comes of peerings whose account id says nothing else. */
  peerings: PeeringFate
  world: World
  /** Asks the data plane for something; gives the effect's id, for a work to await. */
  start(action: Action): string
}
