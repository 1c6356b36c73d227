import type { ForkPoint } from '../data-plane.ts'

/** What a call wants from the data plane. `serviceId` is the service whose work it is part of. */
export type Action = { serviceId: string } & (
  | { kind: 'create-service'; password: string }
  | { kind: 'fork-service'; parentId: string; point: ForkPoint; password: string }
  | { kind: 'start-service' }
  | { kind: 'stop-service' }
  | { kind: 'set-password'; password: string }
  | { kind: 'delete-service' }
  | { kind: 'create-replica'; replicaSetId: string }
  | { kind: 'delete-replica'; replicaSetId: string }
  | { kind: 'open-forwarder'; targetId: string; purpose: 'pooler' | 'vpc' }
  | { kind: 'close-forwarder'; targetId: string; purpose: 'pooler' | 'vpc' }
)

/** An action under way: its `id` is what `completed` and `failed` report back. */
export type Effect = Action & { id: string }

/** What the store keeps of an effect until it is reported: all but passwords. */
export interface Outstanding {
  kind: Action['kind']
  serviceId: string
  /** The service or replica set whose address it decides. */
  targetId: string
  purpose?: 'pooler' | 'vpc'
}

/** Strips an action of what must not stay in memory. */
export function outstanding(action: Action): Outstanding {
  const { kind, serviceId } = action
  if (action.kind === 'create-replica' || action.kind === 'delete-replica') {
    return { kind, serviceId, targetId: action.replicaSetId }
  }
  if (action.kind === 'open-forwarder' || action.kind === 'close-forwarder') {
    return { kind, serviceId, targetId: action.targetId, purpose: action.purpose }
  }
  return { kind, serviceId, targetId: serviceId }
}
