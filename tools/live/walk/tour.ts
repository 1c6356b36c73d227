import type { Seam } from '#base/seam'
import type { Client } from '#client/client'
import type { Findings } from '../report/findings.ts'

/** What a step of the walk works with. */
export interface Tour {
  client: Client
  seam: Seam
  findings: Findings
  signal: AbortSignal
  /** The beginning of all names. */
  run: string
  project_id: string
  /** A moment of the seam's `now`, after which nothing new is begun. */
  deadline: number
  /** Milliseconds between two looks. */
  every: number
  /** Whether databases are to be opened. Where the first one cannot be, no other is tried. */
  withDatabases: boolean
  hasReached: boolean
  withVpc: boolean
  /** The way to the service for steps of a workflow. */
  door: Door
  say(line: string): void
}

export interface Door {
  baseUrl: string
  publicKey: string
  secretKey: string
  /** The input `list_lag`. */
  listLag: string
}
