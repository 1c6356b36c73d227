/** Renders records in the API's form. */
import type { Answer } from '#api/endpoint'
import type { Endpoints } from '#api/endpoints'
import type { ReplicaSetStatus, ServiceStatus } from '#api/records'
import { omitUndefined } from '../omit-undefined.ts'
import type { HandlerContext } from './handler.ts'
import { openAddress, replicaSetStatus, serviceStatus, vpcStatus } from './progress/status.ts'
import { storageOf } from './samples.ts'
import type { PeeringState, ReplicaSetState, ServiceState, VpcState } from './state.ts'

export type ServiceRecord = Answer<Endpoints['get-service']>
export type ReplicaSetRecord = Answer<Endpoints['list-replicas']>[number]
export type VpcRecord = Answer<Endpoints['get-vpc']>
export type PeeringRecord = Answer<Endpoints['get-peering']>

/** A field under its name and under the deprecated one that older clients read (docs/internals/api.md, "Reading tolerantly"). */
export function bothSpellings<Name extends string, Older extends string, Value>(
  name: Name,
  older: Older,
  value: Value | undefined,
) {
  return omitUndefined({ [name]: value, [older]: value } as { [Key in Name | Older]: Value | undefined })
}

export function renderReplicaSet({ now }: { now: number }, replicaSet: ReplicaSetState): ReplicaSetRecord {
  const pooler = openAddress(replicaSet.pooler)
  return {
    id: replicaSet.id,
    name: replicaSet.name,
    status: replicaSetStatus(replicaSet, now) as ReplicaSetStatus,
    nodes: replicaSet.nodes,
    cpu_millis: replicaSet.cpuMillis,
    memory_gbs: replicaSet.memoryGbs,
    metadata: { environment: replicaSet.environment },
    ...omitUndefined({
      endpoint: replicaSet.rest === 'creating' ? undefined : replicaSet.address,
      connection_pooler: pooler && { endpoint: pooler },
    }),
    ...replicaSet.shown,
  }
}

const timestamp = (ms: number) => new Date(ms).toISOString()

function resources(id: string, cpuMillis: number | undefined, memoryGbs: number | undefined) {
  return [
    { id, spec: { ...omitUndefined({ cpu_millis: cpuMillis, memory_gbs: memoryGbs }), volume_type: 'gp3' } },
  ]
}

function forkedFrom(projectId: string, serviceId: string | undefined, isStandby: boolean) {
  return serviceId === undefined
    ? undefined
    : { project_id: projectId, service_id: serviceId, is_standby: isStandby }
}

function serviceType({ timeSeriesType }: HandlerContext, { type }: ServiceState): string {
  return type === 'TIMESERIESDB' ? timeSeriesType : type
}

/** A service in the API's form, never with a password. */
export function renderService(context: HandlerContext, service: ServiceState): ServiceRecord {
  const { project, now } = context
  const status = serviceStatus(service, now)
  const vpc = openAddress(service.attachment)
  const pooler = openAddress(service.pooler)
  return {
    service_id: service.id,
    project_id: project.id,
    name: service.name,
    region_code: service.regionCode,
    service_type: serviceType(context, service),
    created: timestamp(service.created),
    paused: status === 'PAUSED',
    status,
    resources: resources(service.id, service.sizes.cpuMillis, service.sizes.memoryGbs),
    metadata: { environment: service.environment },
    ...omitUndefined({ metrics: storageOf(service) }),
    // Host and port change when a service is attached to a VPC (docs/internals/api.md, "Connecting").
    ...omitUndefined({ endpoint: service.address && (vpc ?? service.address) }),
    ...bothSpellings('vpc_endpoint', 'vpcEndpoint', vpc && { ...vpc, vpc_id: service.attachment?.vpcId }),
    ...omitUndefined({ forked_from: forkedFrom(project.id, service.forkedFrom, false) }),
    ha_replicas: {
      replica_count: service.haReplicas.replicaCount,
      sync_replica_count: service.haReplicas.syncReplicaCount,
    },
    ...omitUndefined({ connection_pooler: pooler && { endpoint: pooler } }),
    data_tiering: { enabled: false },
    read_replica_sets: [...service.replicaSets.values()].map(replicaSet =>
      renderReplicaSet(context, replicaSet),
    ),
    ...service.shown,
  }
}

const statusAsService: Record<string, ServiceStatus> = {
  creating: 'CONFIGURING',
  active: 'READY',
  resizing: 'UPGRADING',
  deleting: 'DELETING',
  error: 'UNSTABLE',
}

/** A replica set as get-service shows it under the set's own id (docs/internals/api.md, "Read replica sets"). */
export function renderReplicaSetAsService(
  context: HandlerContext,
  service: ServiceState,
  replicaSet: ReplicaSetState,
): ServiceRecord {
  const { project, now } = context
  const record = renderReplicaSet(context, replicaSet)
  const status = replicaSetStatus(replicaSet, now)
  return {
    service_id: replicaSet.id,
    project_id: project.id,
    name: replicaSet.name,
    region_code: service.regionCode,
    service_type: serviceType(context, service),
    created: timestamp(replicaSet.created),
    paused: false,
    status: statusAsService[status] ?? status,
    resources: resources(replicaSet.id, replicaSet.cpuMillis, replicaSet.memoryGbs),
    metadata: { environment: replicaSet.environment },
    ...omitUndefined({
      endpoint: record.endpoint,
      forked_from: forkedFrom(project.id, service.id, true),
      connection_pooler: record.connection_pooler,
    }),
  }
}

export function renderVpc({ now }: { now: number }, vpc: VpcState): VpcRecord {
  const status = vpcStatus(vpc, now)
  return {
    id: vpc.id,
    name: vpc.name,
    cidr: vpc.cidr,
    region_code: vpc.regionCode,
    created: timestamp(vpc.created),
    status,
    ...omitUndefined({ provisioned_id: status === 'CREATING' ? undefined : vpc.provisionedId }),
    ...vpc.shown,
  }
}

export function renderPeering({ now }: HandlerContext, peering: PeeringState): PeeringRecord {
  const fate = now >= peering.decidedAt ? peering.fate : 'pending'
  return {
    id: peering.id,
    peer_account_id: peering.peerAccountId,
    peer_region_code: peering.peerRegionCode,
    peer_vpc_id: peering.peerVpcId,
    status: { accepted: 'active', pending: 'PENDING', failed: 'INVALID' }[fate],
    ...omitUndefined({
      provisioned_id: fate === 'accepted' ? peering.provisionedId : undefined,
      error_message: fate === 'failed' ? `VPC ${peering.peerVpcId} not found` : undefined,
    }),
    ...peering.shown,
  }
}
