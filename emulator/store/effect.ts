/** Changes of the databases that calls request. */
import type { Address, ForkPoint, HaReplicas, Sizes } from '../data-plane.ts'

/** A change of the databases that a call requests. `serviceId` is the service whose work it is part of. */
export type PlannedEffect = { serviceId: string } & (
  | { kind: 'create-service'; password: string; reserved: Address | undefined; sizes: Sizes }
  | {
      kind: 'fork-service'
      parentId: string
      point: ForkPoint
      password: string
      reserved: Address | undefined
      sizes: Sizes
    }
  | { kind: 'start-service' }
  | { kind: 'stop-service' }
  | { kind: 'resize-service'; sizes: Sizes }
  | { kind: 'set-ha'; haReplicas: HaReplicas }
  | { kind: 'set-password'; password: string }
  | { kind: 'delete-service' }
  | { kind: 'create-replica'; replicaSetId: string; sizes: Sizes }
  | { kind: 'resize-replica'; replicaSetId: string; sizes: Sizes }
  | { kind: 'delete-replica'; replicaSetId: string }
  | { kind: 'open-forwarder'; targetId: string; purpose: 'pooler' | 'vpc' }
  | { kind: 'close-forwarder'; targetId: string; purpose: 'pooler' | 'vpc' }
)

/** An effect in progress: `completed` and `failed` refer to it by its id. */
export type Effect = PlannedEffect & { id: string }

/** The store's record of an effect until it is reported, without passwords. */
export interface PendingEffect {
  kind: PlannedEffect['kind']
  serviceId: string
  /** The service or replica set whose address it determines. */
  targetId: string
  purpose?: 'pooler' | 'vpc'
}

export function pendingEffect(effect: PlannedEffect): PendingEffect {
  const { kind, serviceId } = effect
  if ('replicaSetId' in effect) return { kind, serviceId, targetId: effect.replicaSetId }
  if (effect.kind === 'open-forwarder' || effect.kind === 'close-forwarder') {
    return { kind, serviceId, targetId: effect.targetId, purpose: effect.purpose }
  }
  return { kind, serviceId, targetId: serviceId }
}
