import type { Peering, ReadReplicaSet, Service, Vpc } from './records.ts'
import { type AnyRecord, type Resource, resources } from './resource.ts'
import { isEnding } from './service-states.ts'

/** What a freshly read record says about the goal. */
export type Verdict = 'settled' | 'pending' | { failed: string }

/**
 * When the work that a call started is done, judged on a freshly read record, never on the call's own answer. `Settled` is
 * that record once the goal is reached; undefined if the goal is that it is gone.
 */
export interface Goal<Asked, Settled extends AnyRecord | undefined = AnyRecord | undefined> {
  record: Resource
  /** `present` waits for a state of the record, `gone` for its absence. */
  until: 'present' | 'gone'
  /** Completes `waited for it to …`. */
  awaited(asked: Asked): string
  /** Minutes to wait when `wait_timeout` is not given. */
  minutes: 10 | 30
  /** The verdict on a record; not asked with `gone`. */
  judge(record: NonNullable<Settled>, asked: Asked): Verdict
  /** Whether the settled record accepts connections. */
  serves?: boolean
  /** Whether the answer to the call shows a state to wait for; if not, the answer is the result. Left out: always. */
  isShown?(answer: NonNullable<Settled>): boolean
  /** The advice at the deadline; the general one if left out. */
  late?: string
}

/** Completes `waited for it to …`, where need be with what was asked for. */
type Words<Asked> = string | ((asked: Asked) => string)

const wordsOf =
  <Asked>(awaited: Words<Asked>) =>
  (asked: Asked) =>
    typeof awaited === 'string' ? awaited : awaited(asked)

const settledIf = (reached: boolean): Verdict => (reached ? 'settled' : 'pending')

/**
 * Makes goals for records of one kind: settled once a record satisfies `reached`. One that is being deleted never comes
 * back, so the wait ends (docs/internals/api.md, "Work that takes time").
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
      if (isEnding(found)) return { failed: `the ${label} is ${found.status}: somebody deleted it` }
      if (failedStatus !== undefined && found.status === failedStatus)
        return { failed: `the ${label} is in status ${failedStatus}` }
      return settledIf(reached(found, asked))
    },
  })

export const serviceIs = goalsFor<Service>('service')
export const replicaSetIs = goalsFor<ReadReplicaSet>('replica_set', 'error')

/** A server that follows only the specification sends no status: then there is nothing to wait for. */
export const vpcCreated: Goal<unknown, Vpc> = {
  ...goalsFor<Vpc>('vpc', 'ERROR')(30, 'be CREATED', ({ status = 'CREATED' }) => status === 'CREATED'),
  isShown: ({ status }) => status !== undefined,
}

/** Settled once the record is gone. */
export function gone(record: Resource): Goal<unknown, undefined> {
  return { record, until: 'gone', awaited: () => 'be gone', minutes: 30, judge: () => 'pending' }
}

/** Words that mean a peering, in small letters (docs/internals/api.md, "Records"). */
const acceptedWords = ['active', 'approved', 'connected']
const failedWords = ['invalid', 'timeout', 'disabled', 'rejected', 'failed', 'expired']
const pendingWords = ['pending']

const wordOf = (status: string) => status.trim().toLowerCase()

/** Whether it is known what the status of a peering means. */
export const isKnownPeeringStatus = (status: string) =>
  [...acceptedWords, ...failedWords, ...pendingWords].includes(wordOf(status))

/**
 * The status of a peering is free text, in any letter case (docs/internals/api.md, "Records"); without a provisioned_id it is
 * still pending (docs/internals/api.md, "VPCs and peerings").
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

/** What services and replica sets are both waited for. */
export const sizesAwaited = ({ cpu_millis, memory_gbs }: { cpu_millis: string; memory_gbs: string }) =>
  `have cpu_millis ${cpu_millis} and memory_gbs ${memory_gbs}`
export const tagAwaited = ({ environment }: { environment: string }) => `be tagged ${environment}`
export const poolerAwaited = 'have its connection pooler'
export const noPoolerAwaited = 'have no connection pooler'
