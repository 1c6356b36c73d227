import type { ReadReplicaSet, Service } from '#api/records'
import { type AnyRecord, isDatabase, type Resource } from '#api/resource'
import type { ActionError } from '#base/errors'
import type { Block, Table } from '#base/report'

/** The ids that address a record. */
export const idNames = ['project_id', 'service_id', 'replica_set_id', 'vpc_id', 'peering_id'] as const
export type IdName = (typeof idNames)[number]
export type Ids = Partial<Record<IdName, string>>

/** A status, and when it was first seen: milliseconds after the start of the wait. */
export interface StatusChange {
  status: string
  at: number
}

/** What an operation did, or waited for, in one stretch. Times in milliseconds after the operation began. */
export interface Stretch {
  name: string
  from: number
  until: number
  /** A wait that the log has named; else something that took its time. */
  isWait: boolean
  /** The record that a wait looked at, and the statuses that it saw, each with its time after the wait began. */
  watched?: { id: string; history: StatusChange[] }
}

/** How the time of an operation went by. Milliseconds. */
export interface Course {
  milliseconds: number
  stretches: Stretch[]
  /** How long it waited in all, where several waits at the same time count once. */
  waited: number
}

/** The outputs that only some features have, as JSON values. A missing one is unset. */
export interface FeatureOutputs {
  verdict?: string | undefined
  violations?: readonly object[] | undefined
  destructive?: boolean | undefined
  /** Seconds. */
  duration?: number | undefined
  /** The lines of a diff. */
  diff?: string[] | undefined
}

/** What an operation did and found: outputs and summary are made of it. */
export interface Outcome {
  operation: string
  ids: Ids
  /** The kind of `record`. */
  resource?: Resource | undefined
  /** The record last read: status, host and port come from it. */
  record?: AnyRecord | undefined
  /** The answer for the `result` output: the record last read, or what the endpoint answered. */
  result?: unknown
  /** How many there are, where `result` has only the first of them. */
  count?: number
  /** The result as a table for people, where it is a list. */
  rows?: Table | undefined
  /** What was done, for people: `3 statements of schema.sql, 0.2 s`. */
  done?: string
  /** Its result at a glance, for the heading of the summary. */
  icon?: string
  /** What the API says about a change, in its own words. */
  message?: string | undefined
  /** The password of the service's user, if this run knows it. */
  password?: string | undefined
  initialPassword?: string | undefined
  created?: boolean
  /** The answer to the creation was lost, and the record was found in the list. */
  adopted?: boolean
  deleted?: boolean
  changed?: boolean
  /** The address or the password differs from that of the last run, or may. */
  connectionChanged?: boolean
  /** Why nothing was done, when that is no failure. */
  skipped?: string | undefined
  /** The origin of a preview's data, for people: `fork of shop as of 2026-01-31 12:00 UTC`. */
  data?: string | undefined
  /** Why a preview was made anew, where nobody asked for it. */
  resetReason?: string | undefined
  /** The findings of the operation, for the summary of the step. */
  report?: readonly Block[] | undefined
  outputs?: FeatureOutputs | undefined
  pullRequest?: number | undefined
  commentUrl?: string | undefined
  /** A partial failure: the rest was done, and the step fails at its end. */
  problem?: ActionError | undefined
  /** Services that were deleted, and services that were examined and kept. */
  deletedIds?: string[]
  keptIds?: string[]
  course?: Course | undefined
}

/** What a record says of the ways into its database. */
const ways = [
  'endpoint',
  'connection_pooler',
  'vpcEndpoint',
  'vpc_endpoint',
  'read_replica_sets',
  'initial_password',
]

/** A copy without these properties, which are optional ones. */
function without<Value>(names: readonly string[], value: Value): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const rest = { ...value }
  for (const name of names) Reflect.deleteProperty(rest, name)
  return rest
}

/** The outcome for a database that nobody is to connect to yet: without its addresses and passwords. */
export function withoutConnection<Given extends Outcome>(outcome: Given): Given {
  const rest = without(['password', 'initialPassword'], outcome)
  return { ...rest, record: without(ways, rest.record), result: without(ways, rest.result) }
}

/** The record, if it is one that can be connected to. */
export const connectable = ({ resource, record }: Outcome): Service | ReadReplicaSet | undefined =>
  isDatabase(resource, record) ? record : undefined
