import type { ReadReplicaSet, Service, Vpc } from './records.ts'
import type { AnyRecord } from './resource.ts'
import { isEnding } from './service-states.ts'

/**
 * The state in which a record already fulfills a call, so that repeating the call neither fails nor changes anything.
 */
export interface Already<Asked, Record extends AnyRecord = AnyRecord> {
  is(record: Record, asked: Asked): boolean
  /** Completes the sentence about the record: `is already …` or `already has …`. */
  words(asked: Asked): string
  /**
   * - `refused`: the API refuses a needless call (docs/internals/api.md, "Already as requested"). The action
   *   sends it and examines the refusal.
   * - `sent`: the call sets a value. The action always sends it, since the record it read may be outdated.
   * - `spared`: the call would disturb a database for nothing. The action does not send it.
   */
  call: 'refused' | 'sent' | 'spared'
  /** Whether another call is already changing the record to that state. Then the step only waits. */
  comes?(record: Record): boolean
}

type Parts<Record extends AnyRecord, Asked> = Omit<Already<Asked, Record>, 'comes'> & {
  /** Statuses of a record that is changing to the requested state. */
  comes?: string[]
}

/** Builds an `Already` whose `is` is false for a record that is being deleted. */
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

/** Conditions and phrases that services, replica sets and VPCs share. */
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
