/** Conditions on the state of a service or a read replica set, and their descriptions. */
import type { Address, ReadReplicaSet, Service } from './records.ts'
import type { AnyRecord } from './resource.ts'

/** Whether a service is READY and has an address, in its VPC or outside. */
export const isReady = (record: Service) =>
  record.status === 'READY' && (record.endpoint ?? record.vpcEndpoint) !== undefined

/** Host and port in the VPC, if the record has both. */
export function vpcAddress({ vpcEndpoint }: Pick<Service, 'vpcEndpoint'>): Address | undefined {
  const { host, port } = vpcEndpoint ?? {}
  return host && port ? { host, port } : undefined
}

/** Whether the record is being deleted or gone; it never returns. Replica sets have lower-case statuses. */
export const isEnding = ({ status = '' }: AnyRecord | { status?: unknown }) =>
  /^delet(ing|ed)$/i.test(String(status))

export interface Sizes {
  cpu_millis: string
  memory_gbs: string
}

export const describeSizes = ({ cpu_millis, memory_gbs }: Sizes) =>
  `have cpu_millis ${cpu_millis} and memory_gbs ${memory_gbs}`

/** Whether a service is READY, and all its resources that name a size, at least one, have the requested sizes. */
export function isReadyWithSizes({ status, resources = [] }: Service, requested: Sizes): boolean {
  const isReached = (name: keyof Sizes) => {
    const sizes = resources.flatMap(({ spec }) => spec?.[name] ?? [])
    return sizes.length > 0 && sizes.every(size => size === Number(requested[name]))
  }
  return status === 'READY' && isReached('cpu_millis') && isReached('memory_gbs')
}

export const describeTag = ({ environment }: { environment: string }) => `be tagged ${environment}`
export const isTagged = ({ metadata }: Service | ReadReplicaSet, requested: { environment: string }) =>
  metadata?.environment === requested.environment

export const describeName = ({ name }: { name: string }) => `be called "${name}"`
export const isNamed = (record: AnyRecord, requested: { name: string }) => record.name === requested.name

export const hasPooler = ({ connection_pooler }: Service | ReadReplicaSet) =>
  connection_pooler?.endpoint !== undefined
export const hasNoPooler = (record: Service | ReadReplicaSet) => !hasPooler(record)

/**
 * The tag that protects a service from automatic deletion; undefined if it has none. The API defines only DEV
 * and PROD. A service with any other tag is protected too, because its owner did not mean DEV.
 * @param mayBeProduction the step itself requested a PROD service
 */
export function protectingTag({ metadata }: Pick<Service, 'metadata'>, mayBeProduction = false) {
  const tag = metadata?.environment?.trim() ?? ''
  const harmless = ['', 'DEV', ...(mayBeProduction ? ['PROD'] : [])]
  return harmless.includes(tag.toUpperCase()) ? undefined : tag
}

export interface HighAvailability {
  replica_count?: number | undefined
  sync_replica_count?: number | undefined
}

export function isReadyWithReplicas(
  { status, ha_replicas = {} }: Service,
  requested: HighAvailability,
): boolean {
  const isReached = (name: keyof HighAvailability) =>
    requested[name] === undefined || (ha_replicas[name] ?? 0) === requested[name]
  return status === 'READY' && isReached('replica_count') && isReached('sync_replica_count')
}

/** Whether the service is in the given VPC, or in a VPC that the record does not name. */
export const isAttached = ({ vpcEndpoint }: Service, { vpc_id }: { vpc_id: string }) =>
  vpcEndpoint !== undefined && (vpcEndpoint.vpc_id ?? vpc_id) === vpc_id
