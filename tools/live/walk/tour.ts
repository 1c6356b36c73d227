// The context of a walk.

import type { Seam } from '#base/seam'
import type { Client } from '#client/client'
import type { Findings } from '../report/findings.ts'

/** The tools of a step of the walk. */
export interface Tour {
  client: Client
  seam: Seam
  findings: Findings
  signal: AbortSignal
  /** The prefix of all names. */
  run: string
  project_id: string
  /** On the clock of the seam's `now`; no new step starts after it. */
  deadline: number
  /** Milliseconds between two checks. */
  every: number
  /** Whether to open databases. If the first one fails, no other is tried. */
  withDatabases: boolean
  hasReached: boolean
  withVpc: boolean
  /** The address of the service for steps of a workflow. */
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
