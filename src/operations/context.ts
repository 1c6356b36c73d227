import type { Resource } from '../api/resource.ts'
import type { Client } from '../client/client.ts'
import type { Seam } from '../client/seam.ts'
import type { Activity } from '../postgres/activity.ts'
import type { Connection } from '../postgres/connection.ts'
import type { Log } from './log.ts'
import type { Ids, Outcome } from './outcome.ts'
import type { Parts } from './parts.ts'

/** Path, query and body fields in the API's own types, as the inputs gave them. */
export type GivenParameters = Record<string, unknown>

/** What the post step deletes of what the step created. */
export type Cleanup = 'never' | 'always' | 'on-failure'

/** What a creating call is about to do, as far as it is known before the first request. Holds no secret. */
export interface Plan {
  operation: string
  resource: Resource
  /** Ids on the path of the call. */
  ids: Ids
  /** The fields by which the record is found again in a list: its name, or the peer's fields of a peering. */
  match: Record<string, string>
  /** The name has a random part, so only this run can have used it: what bears it is this run's. */
  isOwnName: boolean
  /** Ids of records that looked the same before, so none of them is this run's; not asked for with a name of one's own. */
  existing: string[]
  /** Of a fork: the service that it is made from. */
  parentId?: string | undefined
  /** The request asks for a PROD service; otherwise one that is tagged PROD is somebody else's. */
  production: boolean
}

/** A plan under way, written down before each request, so that the end of the job can find what came of it. */
export interface Intent extends Plan {
  /** How many requests were sent, this one included: two at most. */
  posts: number
  /** When the first and the last of them were sent: milliseconds since 1970, by the server's clock as far as it is known. */
  firstSent: number
  lastSent: number
  /** It was looked for in vain for as long as a request may be processed late. */
  searched?: boolean
}

/** What was created, by the ids that address it. */
export interface CreatedRecord {
  resource: Resource
  ids: Ids
  /**
   * False where its answer was lost and it was found by an exact name, which another job may have used: it may serve
   * this job, but it must not be deleted for it.
   */
  certain: boolean
}

/** How the step remembers what it creates, even where it is killed in between. */
export interface Journal {
  /** Throws where it cannot be written: then nothing may be created. */
  intend(intent: Intent): void
  /** Nothing was created, for sure: there is nothing to clean up. */
  withdraw(): void
  /** Called as soon as the answer is read and before any wait: masks the password, saves the id, logs it, sets the outputs. */
  announce(record: CreatedRecord, outcome: Outcome): void
}

/** How the operation shall go, as the inputs say. */
export interface Settings {
  projectId: string | undefined
  wait: boolean
  waitForConnection: boolean
  cleanup: Cleanup
  /** Nothing is changed: it is looked up and said what would be. */
  dryRun: boolean
  /** Milliseconds that the API's lists and reads may lag behind its writes. */
  listLag: number
  /** How the database is connected to, host and port apart. */
  login: { user: string; database: string; sslmode: string }
}

/** All that an operation works with. */
export interface Context {
  client: Client
  seam: Seam
  log: Log
  signal: AbortSignal
  journal: Journal
  settings: Settings
  /** When the operation shall be over, all of it: a moment of the seam's `now`. */
  deadline: number
  /** Takes note of what the time is spent on, where it is to be told. */
  parts?: Parts
  /** The password that belongs to a service, derived here so that no operation holds the secret. */
  derivePassword(serviceId: string): string
  /** Hides a secret from all that is printed from now on. */
  mask(secret: string): void
  /** Resolves when a server of the Postgres protocol answers and is ready; rejects otherwise. */
  probe(connection: Connection, timeout: number): Promise<void>
  /** Asks a database itself whether it is used; rejects where it does not answer for certain. */
  readActivity(connection: Connection & { password: string }, timeout: number): Promise<Activity>
}
