/** Conditions on records: when the work that a call started is done, and when a call is needless. */
import type { Peering, ReadReplicaSet, Service, Vpc } from './records.ts'
import { type AnyRecord, type Resource, resources } from './resource.ts'
import { isEnding } from './service-states.ts'

export type Evaluation = 'settled' | 'pending' | { failed: string }

/**
 * The condition under which the work that a call started is done. It is judged on a record read after the call, never
 * on the answer to the call. `Settled` is the type of that record; undefined if the goal is its absence.
 */
export interface Goal<Requested, Settled extends AnyRecord | undefined = AnyRecord | undefined> {
  record: Resource
  until: 'present' | 'gone'
  /** Completes `waited for it to …`. */
  awaited(requested: Requested): string
  /** Minutes to wait if `wait_timeout` is not set. */
  minutes: 10 | 30
  /** Evaluates a record. Not called if `until` is `gone`. */
  evaluate(record: NonNullable<Settled>, requested: Requested): Evaluation
  /** Whether the record then accepts connections, so that `wait_for_connection` applies. */
  serves?: boolean
  /** Whether the answer to the call has a status to wait for. If not, the step returns the answer. Default: true. */
  isShown?(answer: NonNullable<Settled>): boolean
  /** Advice when the wait reaches its deadline, instead of the general advice. */
  adviceAtDeadline?: string
}

/** The state in which a record already fulfills a call: repeating the call neither fails nor changes anything. */
export interface Already<Requested, Kind extends AnyRecord = AnyRecord> {
  is(record: Kind, requested: Requested): boolean
  /** Completes the sentence about the record: `is already …` or `already has …`. */
  describe(requested: Requested): string
  /**
   * - `refused`: the API refuses a needless call (docs/internals/api.md, "Already as requested"). The action
   *   sends it and examines the refusal.
   * - `sent`: the call sets a value. The action always sends it, since the record it read may be outdated.
   * - `spared`: the call would disturb a database for nothing. The action does not send it.
   */
  call: 'refused' | 'sent' | 'spared'
  /** Whether another call is already changing the record to that state. Then the step only waits. */
  isComing(record: Kind): boolean
}

/** Completes `waited for it to …`, if needed with requested values: `be READY`, `have no connection pooler`. */
type Words<Requested> = string | ((requested: Requested) => string)

const render = <Requested>(words: Words<Requested>, requested: Requested) =>
  typeof words === 'string' ? words : words(requested)

/** @param comes statuses of a record that is changing to the state */
export const alreadyIf = <Requested, Kind extends AnyRecord>(
  state: Words<Requested>,
  is: (record: Kind, requested: Requested) => boolean,
  call: Already<Requested>['call'],
  comes: string[] = [],
): Already<Requested, Kind> => ({
  is: (record, requested) => !isEnding(record) && is(record, requested),
  describe: requested =>
    render(state, requested).replace(/^be/, 'is already').replace(/^have/, 'already has'),
  call,
  isComing: ({ status = '' }) => comes.includes(String(status)),
})

const settledIf = (reached: boolean): Evaluation => (reached ? 'settled' : 'pending')

/**
 * Returns builders of goals for records of one kind: settled once a record has the state. A record that is
 * being deleted never returns, so the wait ends (docs/internals/api.md, "Work that takes time").
 */
function goalsFor<Kind extends Service | ReadReplicaSet | Vpc>(record: Resource, failedStatus?: string) {
  const awaits = <Requested>(
    minutes: 10 | 30,
    state: Words<Requested>,
    is: (record: Kind, requested: Requested) => boolean,
    serves = false,
  ): Goal<Requested, Kind> => ({
    record,
    until: 'present',
    awaited: requested => render(state, requested),
    minutes,
    serves,
    evaluate(observed, requested) {
      const { label } = resources[record]
      if (isEnding(observed))
        return { failed: `the ${label} is ${observed.status}, so it was deleted meanwhile` }
      if (failedStatus !== undefined && observed.status === failedStatus)
        return { failed: `the ${label} is in status ${failedStatus}` }
      return settledIf(is(observed, requested))
    },
  })
  /** The properties of a change that is needless once its goal is reached. */
  const becomes = <Requested>(
    state: Words<Requested>,
    is: (record: Kind, requested: Requested) => boolean,
    call: Already<Requested>['call'],
    { comes, serves }: { comes?: string[]; serves?: boolean } = {},
  ) => ({ goal: awaits(10, state, is, serves), already: alreadyIf(state, is, call, comes) })
  return { awaits, becomes }
}

export const ofService = goalsFor<Service>('service')
export const ofReplicaSet = goalsFor<ReadReplicaSet>('replica_set', 'error')

/** A server that implements only the specification sends no status: then there is nothing to wait for. */
export const vpcCreated: Goal<unknown, Vpc> = {
  ...goalsFor<Vpc>('vpc', 'ERROR').awaits(30, 'be CREATED', ({ status = 'CREATED' }) => status === 'CREATED'),
  isShown: ({ status }) => status !== undefined,
}

export function gone(record: Resource): Goal<unknown, undefined> {
  return { record, until: 'gone', awaited: () => 'be gone', minutes: 30, evaluate: () => 'pending' }
}

/** Peering statuses in lower case, by meaning (docs/internals/api.md, "Records"). */
const acceptedWords = ['active', 'approved', 'connected']
const failedWords = ['invalid', 'timeout', 'disabled', 'rejected', 'failed', 'expired']

const wordOf = (status: string) => status.trim().toLowerCase()

/** Whether the meaning of a peering status is known. */
export const isKnownPeeringStatus = (status: string) =>
  ['pending', ...acceptedWords, ...failedWords].includes(wordOf(status))

/**
 * The status of a peering is free text, in any letter case (docs/internals/api.md, "Records"). Without a
 * provisioned_id the peering is still pending (docs/internals/api.md, "VPCs and peerings").
 */
export const peeringAccepted: Goal<unknown, Peering> = {
  record: 'peering',
  until: 'present',
  awaited: () => 'be accepted',
  minutes: 30,
  evaluate({ status = '', error_message, provisioned_id = '' }) {
    if (error_message) return { failed: `the peering failed: ${error_message}` }
    if (failedWords.includes(wordOf(status))) return { failed: `the peering is ${status}` }
    return settledIf(acceptedWords.includes(wordOf(status)) && provisioned_id.trim() !== '')
  },
  adviceAtDeadline: 'the owner of the peer VPC must accept the peering request on their side',
}
