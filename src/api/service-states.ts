// Conditions on the state of a service.

import type { Address, Service } from './records.ts'
import type { AnyRecord } from './resource.ts'

/** READY with an address, even one that is reachable only from a VPC. */
export const isReady = (record: Service) =>
  record.status === 'READY' && (record.endpoint ?? record.vpcEndpoint) !== undefined

/** Host and port in the VPC, if the record has both. */
export function vpcAddress({ vpcEndpoint }: Pick<Service, 'vpcEndpoint'>): Address | undefined {
  const { host, port } = vpcEndpoint ?? {}
  return host && port ? { host, port } : undefined
}

/**
 * Whether the record is being deleted or gone; it never returns. Services have upper-case statuses, replica
 * sets lower-case ones.
 */
export const isEnding = ({ status = '' }: AnyRecord | { status?: unknown }) =>
  /^delet(ing|ed)$/i.test(String(status))

/** The state after stop-service. */
export const isPaused = (record: Service) => record.status === 'PAUSED'

export interface Sizes {
  cpu_millis: string
  memory_gbs: string
}

/** Whether at least one resource has this size, and none has another one. */
function hasSizes({ resources = [] }: Service, asked: Sizes): boolean {
  const isReached = (name: keyof Sizes) => {
    const told = resources.flatMap(({ spec }) => spec?.[name] ?? [])
    return told.length > 0 && told.every(size => size === Number(asked[name]))
  }
  return isReached('cpu_millis') && isReached('memory_gbs')
}

/** The state after resize-service. */
export const isReadyWithSizes = (record: Service, asked: Sizes) =>
  record.status === 'READY' && hasSizes(record, asked)

export interface Environment {
  environment: string
}

/** The state after set-environment. */
export const isTagged = (record: Service, asked: Environment) =>
  record.metadata?.environment === asked.environment

/** The state after enable-data-tiering. */
export const isTiered = ({ data_tiering }: Service) => data_tiering?.enabled === true

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

/** The parameters of attach-vpc and detach-vpc. */
export interface Attachment {
  vpc_id: string
}

export interface HighAvailability {
  replica_count?: number | undefined
  sync_replica_count?: number | undefined
}

function hasReplicas({ ha_replicas = {} }: Service, asked: HighAvailability): boolean {
  const reached = (name: keyof HighAvailability) =>
    asked[name] === undefined || (ha_replicas[name] ?? 0) === asked[name]
  return reached('replica_count') && reached('sync_replica_count')
}

/** The state after set-ha. */
export const isReadyWithReplicas = (record: Service, asked: HighAvailability) =>
  record.status === 'READY' && hasReplicas(record, asked)

/** Whether the service is in a VPC: in this one, if the record names its VPC. */
export function isAttached({ vpcEndpoint }: Service, vpcId: string): boolean {
  return vpcEndpoint !== undefined && (vpcEndpoint.vpc_id ?? vpcId) === vpcId
}
