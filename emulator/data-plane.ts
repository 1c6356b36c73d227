/** The interface between the records of the emulator and the databases behind them. */

/** The address of a database. */
export interface Address {
  host: string
  port: number
}

/** The host for connections to a listener. A listener on all addresses is reachable over the loopback. */
export function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
}

/**
 * The CPU and memory of a service or replica set; `undefined` if it runs on shared resources, without a size of its
 * own.
 */
export interface Sizes {
  cpuMillis: number | undefined
  memoryGbs: number | undefined
}

/** Numbers of standbys for high availability: those that commits wait for, and the others. */
export interface HaReplicas {
  replicaCount: number
  syncReplicaCount: number
}

/** The options of a new database. */
export interface NewDatabase {
  /** Its intended address, unless another program has taken the port meanwhile. */
  reserved?: Address | undefined
  sizes?: Sizes | undefined
}

/** The time of the parent's data that a fork starts from (docs/internals/api.md, "Forks and snapshots"). */
export type ForkPoint =
  | { strategy: 'NOW' }
  | { strategy: 'LAST_SNAPSHOT' }
  | { strategy: 'PITR'; targetTime: Date }

/** One line of a database's own log, as get-service-logs shows it. */
export interface LogEntry {
  timestamp: Date
  severity: string
  message: string
}

/** Current statistics of a database (PostgreSQL docs, "The Cumulative Statistics System"). */
export interface Statistics {
  /** Sessions open now. */
  connections: number
  /** Transactions since the start, in all databases. */
  transactions: number
  diskBytes: number
}

/**
 * A database of the previous process: its address, no field if it is stopped, or the reason why it could not
 * be restored.
 */
export interface RestoredDatabase {
  address?: Address
  problem?: string
  /** The addresses of its pooler and in its VPC. */
  pooler?: Address
  vpc?: Address
}

/** `changed`: `describe` would now return something else. */
export type Incident =
  | { kind: 'lost'; id: string; problem: string }
  | { kind: 'found'; id: string; address: Address; purpose?: 'pooler' | 'vpc' }
  | { kind: 'changed' }

/**
 * The databases behind the emulator's records. Ids are the API's own. Every promise settles when the effect
 * is complete: a returned address accepts connections, a stopped service refuses them, a deleted one has left
 * neither process nor file.
 */
export interface DataPlane {
  /** Reserves an address for a service that is about to be created. Rejects with `NoPortError` if there is none. */
  reserveAddress(): Promise<Address>
  releaseAddress(address: Address): void
  createService(serviceId: string, password: string, chosen?: NewDatabase): Promise<Address>
  /**
   * Rejects if the strategy needs a snapshot that does not exist yet, or if the parent's data of that time is
   * not available.
   */
  forkService(
    serviceId: string,
    parentServiceId: string,
    point: ForkPoint,
    password: string,
    chosen?: NewDatabase,
  ): Promise<Address>
  startService(serviceId: string): Promise<Address>
  stopService(serviceId: string): Promise<void>
  /** Gives the service another size. A running service is restarted, which ends its sessions. */
  resizeService(serviceId: string, sizes: Sizes): Promise<Address | undefined>
  /** Gives the service this many standbys for high availability. Rejects if its database does not run. */
  setStandbys(serviceId: string, counts: HaReplicas): Promise<void>
  setPassword(serviceId: string, password: string): Promise<void>
  deleteService(serviceId: string): Promise<void>

  /** A hot standby of the service, with its users and passwords. */
  createReplicaSet(replicaSetId: string, serviceId: string, sizes?: Sizes): Promise<Address>
  /** Like `resizeService`. */
  resizeReplicaSet(replicaSetId: string, sizes: Sizes): Promise<Address | undefined>
  deleteReplicaSet(replicaSetId: string): Promise<void>

  /** A second address for a service or replica set (a pooler's, a VPC's): forwards each connection to it. */
  openForwarder(id: string, purpose: 'pooler' | 'vpc'): Promise<Address>
  closeForwarder(id: string, purpose: 'pooler' | 'vpc'): Promise<void>

  /** The time of the service's newest snapshot; undefined while it has none. */
  lastSnapshot(serviceId: string): Date | undefined
  /** Takes a snapshot now, in addition to the scheduled ones. Rejects if the service's database does not run. */
  takeSnapshot(serviceId: string): Promise<void>
  /** The log of one of the service's servers, newest first: 0 is its primary, the standbys follow. */
  readLogs(serviceId: string, node?: number): Promise<LogEntry[]>
  /** Rejects if the service's database does not run. */
  readStatistics(serviceId: string): Promise<Statistics>

  /** Whether poolers really pool, or only forward connections. */
  readonly poolers: 'PgBouncer' | 'relay'
  /** Descriptions of the databases for the user: a part of a sentence each. */
  readonly about: readonly string[]
  /** The certificate of every database: a client that trusts it can connect with `verify-full`. */
  readonly certificate: { pem: string; file: string }
  /** Everything that another data plane needs to continue with these databases. */
  describe(): unknown
  /** The results of restoring the previous data plane's databases, by the id of each service and replica set. */
  readonly restored: ReadonlyMap<string, RestoredDatabase>
  /** Sets the listener for incidents: changes that the databases make by themselves. */
  watch(listener: (incident: Incident) => void): void

  /** Stops every database, and deletes every file unless they are kept. */
  close(): Promise<void>
}

/** No address is left for another service. The message has an instruction. */
export class NoPortError extends Error {
  override name = 'NoPortError'
}
