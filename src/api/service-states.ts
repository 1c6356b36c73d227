import type { Address, Service } from './records.ts'
import type { AnyRecord } from './resource.ts'

/** READY, and with an address, be it in a VPC only. */
export const isReady = (record: Service) =>
  record.status === 'READY' && (record.endpoint ?? record.vpcEndpoint) !== undefined

/** Host and port in the VPC, where the record tells both. */
export function vpcAddress({ vpcEndpoint }: Pick<Service, 'vpcEndpoint'>): Address | undefined {
  const { host, port } = vpcEndpoint ?? {}
  return host && port ? { host, port } : undefined
}

/** Whether a record is on its way out, or gone: it never comes back. Services write it in capitals, replica sets do not. */
export const isEnding = ({ status = '' }: AnyRecord | { status?: unknown }) =>
  /^delet(ing|ed)$/i.test(String(status))

/** As stop-service leaves a service. */
export const isPaused = (record: Service) => record.status === 'PAUSED'

export interface Sizes {
  cpu_millis: string
  memory_gbs: string
}

/** Whether all of the resources that tell a size tell this one, and at least one does. */
function hasSizes({ resources = [] }: Service, asked: Sizes): boolean {
  const isReached = (name: keyof Sizes) => {
    const told = resources.flatMap(({ spec }) => spec?.[name] ?? [])
    return told.length > 0 && told.every(size => size === Number(asked[name]))
  }
  return isReached('cpu_millis') && isReached('memory_gbs')
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

/** As enable-data-tiering leaves a service. */
export const isTiered = ({ data_tiering }: Service) => data_tiering?.enabled === true

/**
 * The tag that keeps a service from being deleted by what only clears up; undefined where it has none. The API knows DEV
 * and PROD, and says nothing of others: whoever set one did not mean DEV.
 *
 * @param mayBeProduction the step itself asked for a PROD service
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

/** As set-ha leaves a service. */
export const isReadyWithReplicas = (record: Service, asked: HighAvailability) =>
  record.status === 'READY' && hasReplicas(record, asked)

/** Whether the service is in a VPC: in this one, where the record tells which. */
export function isAttached({ vpcEndpoint }: Service, vpcId: string): boolean {
  return vpcEndpoint !== undefined && (vpcEndpoint.vpc_id ?? vpcId) === vpcId
}
