import type { Resource } from '../api/resource.ts'
import type { Client } from '../client/client.ts'
import type { Seam } from '../client/seam.ts'
import type { Connection } from '../postgres/connection.ts'
import type { GitHub } from '../preview/github.ts'
import type { Log } from './log.ts'
import type { Ids, Outcome } from './outcome.ts'

/** Path, query and body fields in the API's own types, as the inputs gave them. */
export type GivenParameters = Record<string, unknown>

/** What the post step deletes of what the step created. */
export type Cleanup = 'never' | 'always' | 'on-failure'

/** What a creating call is about to do, written down before it is sent (DESIGN rule 1). Holds no secret. */
export interface Intent {
  operation: string
  resource: Resource
  /** Ids on the path of the call. */
  ids: Ids
  /** The fields by which the record is found again in a list: its name, or the peer's fields of a peering. */
  match: Record<string, string>
  /** Ids of records that looked the same before: none of ours. */
  existing: string[]
  /** True where nobody else can have come upon the name. */
  unique: boolean
  /** True where it shall be tagged PROD: what is, and was not to be, is not ours. */
  production: boolean
  /** How many requests were sent, this one included (DESIGN rule 2: two at most). */
  posts: number
  /** When the last of them was sent: milliseconds since 1970, by the server's clock. What was sent before did nothing. */
  lastSent: number
  /** True once it was looked for in vain, for as long as a request may be processed late. */
  searched?: boolean
}

/** What was created, by the ids that address it. */
export interface CreatedRecord {
  resource: Resource
  ids: Ids
}

/** How the step remembers what it creates, even where it is killed in between. */
export interface Journal {
  /** Throws where it cannot be written: then nothing may be created. */
  intend(intent: Intent): void
  /** Nothing was created, for sure: there is nothing to clean up. */
  withdraw(): void
  /** Called as soon as the answer is read and before any wait: masks, saves the id, sets the outputs. */
  created(record: CreatedRecord, outcome: Outcome): void
}

/** How the lifecycle operations shall go. Times in milliseconds. */
export interface PreviewSettings {
  namePrefix: string
  /** In place of the event's. */
  pullRequest: number | undefined
  /** In place of the derived name. */
  previewName: string | undefined
  comment: boolean
  dryRun: boolean
  maxAge: number | undefined
  minAge: number
  maxDeletions: number
}

/** How the operation shall go, as the inputs say. */
export interface Settings {
  projectId: string | undefined
  wait: boolean
  waitForConnection: boolean
  cleanup: Cleanup
  /** How the database is connected to, host and port apart. */
  login: { user: string; database: string; sslmode: string }
  preview: PreviewSettings
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
  github: GitHub
  /** The password that belongs to a service, derived here so that no operation holds the secret. */
  derivePassword(serviceId: string): string
  /** Hides a secret from all that is printed from now on. */
  mask(secret: string): void
  /** Resolves when a server of the Postgres protocol answers and is ready; rejects otherwise. */
  probe(connection: Connection, timeout: number): Promise<void>
}
