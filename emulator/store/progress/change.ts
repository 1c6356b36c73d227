/** The changes of services, with their statuses. */
import type { ReplicaSetStatus, ServiceStatus, VpcStatus } from '#api/records'
import type { HaReplicas, Sizes } from '../../data-plane.ts'

/** A change of a service that takes time, with its result. */
export type ServiceChange =
  | { kind: 'create' | 'fork' | 'start' | 'stop' | 'delete' }
  | { kind: 'resize'; sizes: Sizes }
  | { kind: 'set-ha'; haReplicas: HaReplicas }

/** The statuses that each change passes through, in equal shares of its time. */
export const serviceChanges: Record<ServiceChange['kind'], readonly [ServiceStatus, ...ServiceStatus[]]> = {
  create: ['QUEUED', 'CONFIGURING'],
  fork: ['QUEUED', 'CONFIGURING'],
  start: ['RESUMING'],
  stop: ['PAUSING'],
  resize: ['UPGRADING'],
  'set-ha': ['UPGRADING'],
  delete: ['DELETING'],
}

export type ReplicaSetChange =
  | { kind: 'create' | 'delete' }
  | { kind: 'resize'; cpuMillis: number; memoryGbs: number }

export const replicaSetChanges: Record<ReplicaSetChange['kind'], ReplicaSetStatus> = {
  create: 'creating',
  resize: 'resizing',
  delete: 'deleting',
}

export interface VpcChange {
  kind: 'create' | 'delete'
}

export const vpcChanges: Record<VpcChange['kind'], VpcStatus> = { create: 'CREATING', delete: 'DELETING' }
