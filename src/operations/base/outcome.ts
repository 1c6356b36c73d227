/** The outcome of an operation, from which outputs and summary are written. */
import type { ReadReplicaSet, Service } from '#api/records'
import { type AnyRecord, isDatabase, type Resource } from '#api/resource'
import type { ActionError } from '#base/errors'
import type { Block, Table } from '#base/report'
import { isRecord } from '#base/unknown-values'

export const idNames = ['project_id', 'service_id', 'replica_set_id', 'vpc_id', 'peering_id'] as const
export type Ids = Partial<Record<(typeof idNames)[number], string>>

/** A status, and when it was first observed, in milliseconds after the start of the wait. */
export interface StatusChange {
  status: string
  at: number
}

/** A span of the timeline. Times in milliseconds after the operation started. */
export interface TimeSpan {
  name: string
  from: number
  until: number
  /** A wait that the log has announced, or else work. */
  isWait: boolean
  /** The record that a wait observes, and the history of its statuses. */
  watched?: { id: string; history: StatusChange[] } | undefined
}

/** The timeline of an operation. Milliseconds. */
export interface Timeline {
  milliseconds: number
  spans: TimeSpan[]
  /** Total waiting time; overlapping waits count once. */
  waited: number
}

/** Outputs of single features, as JSON values. A missing one is unset. */
export interface FeatureOutputs {
  verdict?: string | undefined
  violations?: readonly { measured: number }[] | undefined
  destructive?: boolean | undefined
  /** Seconds. */
  duration?: number | undefined
  diff?: string[] | undefined
}

export interface Outcome {
  operation: string
  ids: Ids
  resource?: Resource | undefined
  record?: AnyRecord | undefined
  /** The value of the `result` output: the record last read, or the endpoint's answer. */
  result?: unknown
  /** Number of all entries, if `result` contains only the first of them. */
  count?: number
  /** The list in the answer, for log and summary. */
  rows?: Table | undefined
  /** The completed work, for readers: `3 statements of schema.sql, 0.2 s`. */
  done?: string
  /** A symbol for the result, in the heading of the summary. */
  icon?: string
  /** The API's message in its answer to a change. */
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
  /** Why the operation did nothing, if that is not a failure. */
  skipped?: string | undefined
  /** The origin of a preview's data, for readers: `fork of shop as of 2026-01-31 12:00 UTC`. */
  data?: string | undefined
  /** Why the action recreated a preview without a request. */
  resetReason?: string | undefined
  /** The findings of the operation, for the step summary. */
  report?: readonly Block[] | undefined
  outputs?: FeatureOutputs | undefined
  pullRequest?: number | undefined
  commentUrl?: string | undefined
  /** A partial failure: the rest is done, and the step fails at its end. */
  problem?: ActionError | undefined
  /** Services that were deleted, and services that were checked and kept. */
  deletedIds?: string[]
  keptIds?: string[]
  timeline?: Timeline | undefined
}

/** The passwords in an outcome, for masking. */
export const passwordsIn = ({ initialPassword, password }: Outcome) =>
  [initialPassword, password].filter(secret => secret !== undefined)

const connectionFields = [
  'endpoint',
  'connection_pooler',
  'vpcEndpoint',
  'vpc_endpoint',
  'read_replica_sets',
  'initial_password',
]

function omitConnection<Value>(value: Value): Value {
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([name]) => !connectionFields.includes(name))
  return Object.fromEntries(kept) as Value
}

/** The outcome without connection details, for a database that is not ready for connections. */
export const withoutConnection = <Given extends Outcome>(outcome: Given): Given => ({
  ...outcome,
  password: undefined,
  initialPassword: undefined,
  record: omitConnection(outcome.record),
  result: omitConnection(outcome.result),
})

/** The record of the outcome if it is a database, which has connection details. */
export const databaseOf = ({ resource, record }: Outcome): Service | ReadReplicaSet | undefined =>
  isDatabase(resource, record) ? record : undefined
