/** Handlers of read replica sets. */
import type { HandlerContext, Handlers } from '../handler.ts'
import { begin } from '../progress/work.ts'
import { createServiceId } from '../random-values.ts'
import { renderReplicaSet } from '../render.ts'
import { writeLog } from '../service-log.ts'
import type { ReplicaSetState, ServiceState } from '../state.ts'
import { findActiveReplicaSet, findReadyService, findReplicaSet, findService } from './find.ts'
import { closeForwarderWith, disablePooler, enablePooler } from './forwarding.ts'
import { checkNodes, checkReplicaSizes } from './limits.ts'
import { checkDatabaseLimit } from './quota.ts'

/** Starts to delete a replica set, with its pooler; returns the effects that this waits for. */
export function deleteReplicaSet(
  context: HandlerContext,
  service: ServiceState,
  replicaSet: ReplicaSetState,
): string[] {
  const { id } = replicaSet
  const effects = [
    ...closeForwarderWith(context, { id, serviceId: service.id }, 'pooler', replicaSet.pooler),
    context.start({ kind: 'delete-replica', serviceId: service.id, replicaSetId: id }),
  ]
  replicaSet.work = begin(context, 'delete-replica', { kind: 'delete' }, effects)
  writeLog(service, context.now, `replica set ${id} is being deleted`)
  return effects
}

export const replicaSets = {
  'list-replicas': (context, params) =>
    [...findService(context, params).replicaSets.values()].map(replicaSet =>
      renderReplicaSet(context, replicaSet),
    ),
  'create-replica': (context, params) => {
    const service = findReadyService(context, params, 'create a replica set')
    checkNodes(params.nodes)
    checkReplicaSizes(params.cpu_millis, params.memory_gbs)
    checkDatabaseLimit(context, 1)
    const replicaSet: ReplicaSetState = {
      id: createServiceId(context),
      name: params.name,
      created: context.now,
      nodes: params.nodes,
      cpuMillis: params.cpu_millis,
      memoryGbs: params.memory_gbs,
      environment: service.environment,
      rest: 'creating',
      work: undefined,
      address: undefined,
      pooler: undefined,
    }
    service.replicaSets.set(replicaSet.id, replicaSet)
    const effect = context.start({
      kind: 'create-replica',
      serviceId: service.id,
      replicaSetId: replicaSet.id,
      sizes: { cpuMillis: replicaSet.cpuMillis, memoryGbs: replicaSet.memoryGbs },
    })
    replicaSet.work = begin(context, 'create-replica', { kind: 'create' }, [effect])
    writeLog(service, context.now, `replica set ${replicaSet.id} is requested`)
    return renderReplicaSet(context, replicaSet)
  },
  'delete-replica': (context, params) => {
    const { service, replicaSet } = findReplicaSet(context, params)
    // A repeated request: there is nothing left to do.
    if (replicaSet.work?.change.kind !== 'delete') deleteReplicaSet(context, service, replicaSet)
    return undefined
  },
  'resize-replica': (context, params) => {
    const { service, replicaSet } = findActiveReplicaSet(context, params, 'resize')
    const sizes = { cpuMillis: Number(params.cpu_millis), memoryGbs: Number(params.memory_gbs) }
    checkReplicaSizes(sizes.cpuMillis, sizes.memoryGbs)
    const effect = context.start({
      kind: 'resize-replica',
      serviceId: service.id,
      replicaSetId: replicaSet.id,
      sizes,
    })
    replicaSet.work = begin(context, 'resize-replica', { kind: 'resize', ...sizes }, [effect])
    return { message: 'Replica set resize started' }
  },
  'enable-replica-pooler': (context, params) => {
    const { service, replicaSet } = findActiveReplicaSet(context, params, 'enable the pooler')
    return enablePooler(context, service.id, replicaSet)
  },
  'disable-replica-pooler': (context, params) => {
    const { service, replicaSet } = findActiveReplicaSet(context, params, 'disable the pooler')
    return disablePooler(context, service.id, replicaSet)
  },
  'set-replica-environment': (context, params) => {
    findReplicaSet(context, params).replicaSet.environment = params.environment
    return { message: 'Environment set' }
  },
} satisfies Partial<Handlers>
