import type { ReplicaSetStatus, ServiceStatus } from '../../src/api/records.ts'
import type { Forwarding, ReplicaSetChange, ReplicaSetState, ServiceChange, ServiceState } from './state.ts'
import { phase } from './work.ts'

/** The statuses that each change passes through, in equal shares of its time. */
const serviceChanges: Record<ServiceChange['kind'], readonly [ServiceStatus, ...ServiceStatus[]]> = {
  create: ['QUEUED', 'CONFIGURING'],
  fork: ['QUEUED', 'CONFIGURING'],
  start: ['RESUMING'],
  stop: ['PAUSING'],
  resize: ['UPGRADING', 'OPTIMIZING'],
  'set-ha': ['UPGRADING', 'OPTIMIZING'],
  delete: ['DELETING'],
}

/** The status that the service shows now. */
export function serviceStatus(service: ServiceState, now: number): ServiceStatus {
  const { work } = service
  return work ? phase(work, serviceChanges[work.change.kind], now) : service.rest
}

const replicaSetChanges: Record<ReplicaSetChange['kind'], ReplicaSetStatus> = {
  create: 'creating',
  resize: 'resizing',
  delete: 'deleting',
}

export function replicaSetStatus(replicaSet: ReplicaSetState): ReplicaSetStatus {
  const { work } = replicaSet
  return work ? replicaSetChanges[work.change.kind] : replicaSet.rest
}

/** The forwarder's address, from when it is open until it is closed. */
export function openAddress(forwarding: Forwarding | undefined) {
  return forwarding?.work?.change.kind === 'open' ? undefined : forwarding?.address
}
