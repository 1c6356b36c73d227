import type { ReadReplicaSet, Service } from '../api/records.ts'
import type { Resource } from '../api/resource.ts'
import type { ActionError } from '../client/errors.ts'

export type IdName = 'project_id' | 'service_id' | 'replica_set_id' | 'vpc_id' | 'peering_id'
export type Ids = Partial<Record<IdName, string>>

/** A status, and when it was first seen: milliseconds after the start of the wait. */
export interface StatusChange {
  status: string
  at: number
}

/** What prune made of one preview, and why. */
export interface PruneDecision {
  service_id: string
  name: string
  /** Undefined for a preview of the merge queue. */
  pull_request: number | undefined
  verdict: 'deleted' | 'would delete' | 'paused' | 'would pause' | 'kept' | 'skipped' | 'failed'
  reason: string
}

/** What an operation did and found, before it becomes outputs and a summary. */
export interface Outcome {
  operation: string
  ids: Ids
  /** The kind of `record`. */
  resource?: Resource | undefined
  /** The record last read: status, host and port come from it. */
  record?: unknown
  /** The answer for the `result` output: the record last read, or what the endpoint answered. */
  result?: unknown
  /** The password of the service's user, where this run knows it. */
  password?: string | undefined
  initialPassword?: string | undefined
  created?: boolean
  /** True where the answer to its creation was lost, and it was found in the list. */
  adopted?: boolean
  deleted?: boolean
  changed?: boolean
  /** Why nothing was done, where that is no failure. */
  skipped?: string | undefined
  /** What the data of a preview is, in words: `fork of shop as of 2026-01-31 12:00 UTC`. */
  data?: string | undefined
  pullRequest?: number | undefined
  commentUrl?: string | undefined
  /** What prune made of each preview, and why. */
  decisions?: PruneDecision[]
  /** What went wrong although the rest was done: fails the step at its end. */
  problem?: ActionError | undefined
  /** Of previews deleted, and by prune also of those kept. */
  deletedIds?: string[]
  keptIds?: string[]
  wait?: { milliseconds: number; history: StatusChange[] } | undefined
}

/** The record as one that can be connected to, where it is one. */
export function connectable(outcome: Outcome): Service | ReadReplicaSet | undefined {
  if (outcome.resource === 'service') return outcome.record as Service | undefined
  if (outcome.resource === 'replica_set') return outcome.record as ReadReplicaSet | undefined
  return undefined
}
