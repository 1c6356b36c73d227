/** The context of a walk. */
import type { Address } from '#api/records'
import type { Seam } from '#base/seam'
import type { Client, Credentials } from '#client/client'
import type { Findings } from '../report/findings.ts'

export interface LiveOptions {
  seam: Seam
  baseUrl: string
  credentials: Credentials
  /** Ends the walk; its records are deleted nevertheless. */
  signal: AbortSignal
  besideProduction: boolean
  /** Whether to open databases. If the first one fails, no other is tried. */
  withDatabases: boolean
  /** Only deletes the records of earlier runs. */
  onlyClean: boolean
  say(line: string): void
  /** Milliseconds between two checks, by default a second; and the input `list_lag` of steps. */
  every?: number
  listLag?: string
}

/** The tools of a step of the walk. Its `baseUrl` is for the steps of a workflow. */
export interface Tour extends Required<LiveOptions> {
  client: Client
  findings: Findings
  /** The prefix of all names. */
  run: string
  project_id: string
  /** On the clock of the seam's `now`; no new step starts after it. */
  deadline: number
  hasReached: boolean
}

export interface Login {
  address: Address
  password: string
}

/** The service of the walk. */
export interface Main {
  ids: { project_id: string; service_id: string }
  login: Login
  /** On the clock of the seam's `now`. */
  readyAt: number
}
