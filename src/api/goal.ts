import type { Peering, ReadReplicaSet, Service, Vpc } from './records.ts'
import { type AnyRecord, type Resource, resources } from './resource.ts'
import { isEnding } from './service-states.ts'

/** The result of judging a record against the goal. */
export type Verdict = 'settled' | 'pending' | { failed: string }

/**
 * The condition under which the work that a call started is done. It is judged on a record read after the call, never
 * on the answer to the call. `Settled` is the type of that record; undefined if the goal is its absence.
 */
export interface Goal<Asked, Settled extends AnyRecord | undefined = AnyRecord | undefined> {
  record: Resource
  until: 'present' | 'gone'
  /** Completes `waited for it to …`. */
  awaited(asked: Asked): string
  /** Minutes to wait if `wait_timeout` is not set. */
  minutes: 10 | 30
  /** Judges a record; not called with `gone`. */
  judge(record: NonNullable<Settled>, asked: Asked): Verdict
  serves?: boolean
  /** Whether the answer to the call has a status to wait for; if not, the answer is the result. Default: always. */
  isShown?(answer: NonNullable<Settled>): boolean
  /** Advice at the deadline, if the general advice does not fit. */
  late?: string
}

/** Completes `waited for it to …`, if needed with requested values. */
type Words<Asked> = string | ((asked: Asked) => string)

const wordsOf =
  <Asked>(awaited: Words<Asked>) =>
  (asked: Asked) =>
    typeof awaited === 'string' ? awaited : awaited(asked)

const settledIf = (reached: boolean): Verdict => (reached ? 'settled' : 'pending')

/**
 * Returns a builder of goals for records of one kind: settled once a record satisfies `reached`. A record
 * that is being deleted never returns, so the wait ends (docs/internals/api.md, "Work that takes time").
 */
const goalsFor =
  <Kind extends Service | ReadReplicaSet | Vpc>(record: Resource, failedStatus?: string) =>
  <Asked>(
    minutes: 10 | 30,
    awaited: Words<Asked>,
    reached: (record: Kind, asked: Asked) => boolean,
    serves = false,
  ): Goal<Asked, Kind> => ({
    ...{ record, until: 'present', awaited: wordsOf(awaited), minutes, serves },
    judge(found, asked) {
      const { label } = resources[record]
      if (isEnding(found)) return { failed: `the ${label} is ${found.status}, so it was deleted meanwhile` }
      if (failedStatus !== undefined && found.status === failedStatus)
        return { failed: `the ${label} is in status ${failedStatus}` }
      return settledIf(reached(found, asked))
    },
  })

export const serviceIs = goalsFor<Service>('service')
export const replicaSetIs = goalsFor<ReadReplicaSet>('replica_set', 'error')

/** A server that implements only the specification sends no status: then there is nothing to wait for. */
export const vpcCreated: Goal<unknown, Vpc> = {
  ...goalsFor<Vpc>('vpc', 'ERROR')(30, 'be CREATED', ({ status = 'CREATED' }) => status === 'CREATED'),
  isShown: ({ status }) => status !== undefined,
}

export function gone(record: Resource): Goal<unknown, undefined> {
  return { record, until: 'gone', awaited: () => 'be gone', minutes: 30, judge: () => 'pending' }
}

/** Peering statuses in lower case, by meaning (docs/internals/api.md, "Records"). */
const acceptedWords = ['active', 'approved', 'connected']
const failedWords = ['invalid', 'timeout', 'disabled', 'rejected', 'failed', 'expired']
const pendingWords = ['pending']

const wordOf = (status: string) => status.trim().toLowerCase()

/** Whether the meaning of a peering status is known. */
export const isKnownPeeringStatus = (status: string) =>
  [...acceptedWords, ...failedWords, ...pendingWords].includes(wordOf(status))

/**
 * The status of a peering is free text, in any letter case (docs/internals/api.md, "Records"). Without a
 * provisioned_id the peering is still pending (docs/internals/api.md, "VPCs and peerings").
 */
export const peeringAccepted: Goal<unknown, Peering> = {
  record: 'peering',
  until: 'present',
  awaited: () => 'be accepted',
  minutes: 30,
  judge({ status = '', error_message, provisioned_id = '' }) {
    if (error_message) return { failed: `the peering failed: ${error_message}` }
    if (failedWords.includes(wordOf(status))) return { failed: `the peering is ${status}` }
    return settledIf(acceptedWords.includes(wordOf(status)) && provisioned_id.trim() !== '')
  },
  late: 'the owner of the peer VPC must accept the peering request on their side',
}

/** Phrases that services and replica sets share. */
export const sizesAwaited = ({ cpu_millis, memory_gbs }: { cpu_millis: string; memory_gbs: string }) =>
  `have cpu_millis ${cpu_millis} and memory_gbs ${memory_gbs}`
export const tagAwaited = ({ environment }: { environment: string }) => `be tagged ${environment}`
export const poolerAwaited = 'have its connection pooler'
export const noPoolerAwaited = 'have no connection pooler'
