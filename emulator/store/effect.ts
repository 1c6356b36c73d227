import type { Address, ForkPoint, HaReplicas, Sizes } from '../data-plane.ts'

/** A change of the databases that a call asks for. `serviceId` is the service whose work it is part of. */
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

/** An effect under way: `completed` and `failed` name it by its id. */
export type Effect = PlannedEffect & { id: string }

/** What the store remembers of an effect until it is reported: no password. */
export interface PendingEffect {
  kind: PlannedEffect['kind']
  serviceId: string
  /** The service or replica set whose address it decides. */
  targetId: string
  purpose?: 'pooler' | 'vpc'
}

/** What to remember of an effect. */
export function pendingEffect(effect: PlannedEffect): PendingEffect {
  const { kind, serviceId } = effect
  if ('replicaSetId' in effect) return { kind, serviceId, targetId: effect.replicaSetId }
  if (effect.kind === 'open-forwarder' || effect.kind === 'close-forwarder') {
    return { kind, serviceId, targetId: effect.targetId, purpose: effect.purpose }
  }
  return { kind, serviceId, targetId: serviceId }
}
