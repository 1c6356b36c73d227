import type { ReadReplicaSet, Service, Vpc } from './records.ts'
import type { AnyRecord } from './resource.ts'
import { isEnding } from './service-states.ts'

/**
 * How to tell that a record already is as a call asks, so that repeating the call is neither a failure nor a change.
 */
export interface Already<Asked, Record extends AnyRecord = AnyRecord> {
  is(record: Record, asked: Asked): boolean
  /** Completes the sentence that begins with the record: `is already …` or `already has …`. */
  words(asked: Asked): string
  /**
   * `refused`: the API refuses a needless call (docs/internals/api.md, "What is so already"). It is sent, and a refusal examined.
   * `sent`: the call sets a value. It is sent in any case, since the record that was read may be an old one.
   * `spared`: the call would disturb a database for nothing, and is not sent.
   */
  call: 'refused' | 'sent' | 'spared'
  /** Whether another call is already bringing the record to that state: then the step only waits. */
  comes?(record: Record): boolean
}

type Parts<Record extends AnyRecord, Asked> = Omit<Already<Asked, Record>, 'comes'> & {
  /** Statuses of a record that is about to be as the call asks. */
  comes?: string[]
}

/** Like `is`, but false for a record that is being deleted. */
function alreadyIf<Record extends AnyRecord, Asked>({
  is,
  comes,
  ...rest
}: Parts<Record, Asked>): Already<Asked, Record> {
  return {
    ...rest,
    is: (record, asked) => !isEnding(record) && is(record, asked),
    ...(comes && { comes: ({ status = '' }) => comes.includes(String(status)) }),
  }
}

export const serviceAlready = <Asked>(parts: Parts<Service, Asked>) => alreadyIf(parts)
export const replicaSetAlready = <Asked>(parts: Parts<ReadReplicaSet, Asked>) => alreadyIf(parts)
export const vpcAlready = <Asked>(parts: Parts<Vpc, Asked>) => alreadyIf(parts)

/** Conditions that services, replica sets and VPCs share, with the words for them. */
export const isNamed = (record: { name?: string | undefined }, asked: { name: string }) =>
  record.name === asked.name
export const wordsOfName = ({ name }: { name: string }) => `is already called "${name}"`
export const wordsOfTag = ({ environment }: { environment: string }) => `is already tagged ${environment}`
export const wordsOfSizes = ({ cpu_millis, memory_gbs }: { cpu_millis: string; memory_gbs: string }) =>
  `already has cpu_millis ${cpu_millis} and memory_gbs ${memory_gbs}`
export const hasPooler = ({ connection_pooler }: Pick<Service, 'connection_pooler'>) =>
  connection_pooler?.endpoint !== undefined
export const wordsOfPooler = () => 'already has its connection pooler'
export const wordsOfNoPooler = () => 'already has no connection pooler'
