import type { Service } from './records.ts'

/** READY, and with an address. */
export const isReady = (record: Service) => record.status === 'READY' && record.endpoint !== undefined

/** As stop-service leaves a service. */
export const isPaused = (record: Service) => record.status === 'PAUSED'

export interface Sizes {
  cpu_millis: string
  memory_gbs: string
}

function hasSizes(record: Service, asked: Sizes): boolean {
  const spec = record.resources?.[0]?.spec
  return spec?.cpu_millis === Number(asked.cpu_millis) && spec.memory_gbs === Number(asked.memory_gbs)
}

/** As resize-service leaves a service. */
export const isReadyWithSizes = (record: Service, asked: Sizes) =>
  record.status === 'READY' && hasSizes(record, asked)

export interface Environment {
  environment: string
}

/** As set-environment leaves a service. */
export const isTagged = (record: Service, asked: Environment) =>
  record.metadata?.environment === asked.environment

/**
 * The tag that keeps a service from being deleted by what only clears up; undefined where it has none. The API knows DEV
 * and PROD, and says nothing of others: whoever set one did not mean DEV.
 *
 * @param mayBeProduction the step itself asked for a PROD service
 */
export function protectingTag({ metadata }: Service, mayBeProduction = false): string | undefined {
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

/** As set-ha leaves a service. */
export const isReadyWithReplicas = (record: Service, asked: HighAvailability) =>
  record.status === 'READY' && hasReplicas(record, asked)

/** Attached to the VPC, or to one that the record does not name. */
export function isAttached(record: Service, vpcId: string): boolean {
  const attached = record.vpcEndpoint
  return attached !== undefined && (attached.vpc_id === undefined || attached.vpc_id === vpcId)
}

/** As detach-vpc leaves a service. */
export const isDetached = (record: Service) => record.vpcEndpoint === undefined
