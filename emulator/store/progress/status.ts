/** The current statuses of records. */
import type { Forwarding, ReplicaSetState, ServiceState, VpcState } from '../state.ts'
import { replicaSetChanges, serviceChanges, vpcChanges } from './change.ts'
import { currentStatus } from './work.ts'

/** The status that the service shows now. */
export function serviceStatus(service: ServiceState, now: number): string {
  const { work } = service
  return (work && currentStatus(work, serviceChanges[work.change.kind], now)) ?? service.rest
}

export function replicaSetStatus(replicaSet: ReplicaSetState, now: number): string {
  const { work } = replicaSet
  return (work && currentStatus(work, [replicaSetChanges[work.change.kind]], now)) ?? replicaSet.rest
}

export function vpcStatus({ work }: VpcState, now: number): string {
  return (work && currentStatus(work, [vpcChanges[work.change.kind]], now)) ?? 'CREATED'
}

/** The forwarder's address, while it is open. */
export function openAddress(forwarding: Forwarding | undefined) {
  return forwarding?.work?.change.kind === 'open' ? undefined : forwarding?.address
}
