/** Finds records, or refuses the call. */
import type { HandlerContext } from '../handler.ts'
import { replicaSetStatus, serviceStatus, vpcStatus } from '../progress/status.ts'
import { conflict, noSuchService, notFound } from '../refusal.ts'
import type { PeeringState, ReplicaSetState, ServiceState, VpcState } from '../state.ts'

interface InProject {
  project_id: string
}

/** Rejects any project but the key's own. */
export function checkProject({ project }: HandlerContext, { project_id }: InProject): void {
  if (project_id !== project.id) throw notFound(`project ${project_id}`)
}

interface OfService extends InProject {
  service_id: string
}

export function findService(context: HandlerContext, params: OfService): ServiceState {
  checkProject(context, params)
  const service = context.state.services.get(params.service_id)
  if (service === undefined) throw noSuchService()
  return service
}

/** A service that is not being deleted. */
export function findLivingService(context: HandlerContext, params: OfService): ServiceState {
  const service = findService(context, params)
  if (service.work?.change.kind === 'delete') throw conflict(`service ${service.id} is being deleted`)
  return service
}

/** A service that is READY and has no change in progress, not even one that keeps the status READY. */
export function findReadyService(context: HandlerContext, params: OfService, toDo: string): ServiceState {
  const service = findLivingService(context, params)
  const { work, rest } = service
  if (work || rest !== 'READY') {
    const status = serviceStatus(service, context.now)
    const advice = status === 'PAUSED' ? 'start it first' : 'wait until it is READY'
    throw conflict(`cannot ${toDo}: service ${service.id} is ${status}; ${advice}`)
  }
  return service
}

interface OfReplicaSet extends OfService {
  replica_set_id: string
}

export function findReplicaSet(context: HandlerContext, params: OfReplicaSet) {
  const service = findService(context, params)
  const replicaSet = service.replicaSets.get(params.replica_set_id)
  if (replicaSet === undefined) throw notFound(`replica set ${params.replica_set_id}`)
  return { service, replicaSet }
}

/** A replica set that is active and has no change in progress. */
export function findActiveReplicaSet(context: HandlerContext, params: OfReplicaSet, toDo: string) {
  const found = findReplicaSet(context, params)
  const { work, rest } = found.replicaSet
  if (work || rest !== 'active') {
    const status = replicaSetStatus(found.replicaSet, context.now)
    throw conflict(`cannot ${toDo}: replica set ${found.replicaSet.id} is ${status}; wait until it is active`)
  }
  return found
}

/** The replica set with this id, of any service. */
export function findReplicaSetAnywhere(
  { state }: HandlerContext,
  id: string,
): { service: ServiceState; replicaSet: ReplicaSetState } | undefined {
  for (const service of state.services.values()) {
    const replicaSet = service.replicaSets.get(id)
    if (replicaSet) return { service, replicaSet }
  }
  return undefined
}

interface OfVpc extends InProject {
  vpc_id: string
}

export function findVpc(context: HandlerContext, params: OfVpc): VpcState {
  checkProject(context, params)
  const vpc = context.state.vpcs.get(params.vpc_id)
  if (vpc === undefined) throw notFound(`VPC ${params.vpc_id}`)
  return vpc
}

/** Rejects a VPC that is being created or deleted (docs/internals/api.md, "VPCs and peerings"). */
export function checkCreated({ now }: HandlerContext, vpc: VpcState): void {
  const status = vpcStatus(vpc, now)
  if (status !== 'CREATED')
    throw conflict(`VPC ${vpc.id} is ${status}; wait until it is CREATED, or use another one`)
}

export function findPeering(context: HandlerContext, params: OfVpc & { peering_id: string }): PeeringState {
  const peering = findVpc(context, params).peerings.get(params.peering_id)
  if (peering === undefined) throw notFound(`peering ${params.peering_id}`)
  return peering
}
