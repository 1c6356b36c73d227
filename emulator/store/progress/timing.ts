// The durations of changes.

import type { EndpointName } from '#api/endpoints'
import type { Course, Profile } from './profile.ts'

/** The duration of each kind of work in the emulated service, in milliseconds. */
export interface Timing {
  /** Creating, forking and starting a service; creating a replica set. */
  readyAfter: number
  /** Every other change: pausing, resizing, high availability, poolers, creating a VPC, attaching to it. */
  changeAfter: number
  /** How long a deleted service, replica set or VPC stays DELETING. */
  deleteAfter: number
  /** From the first READY of a service to its first snapshot; only without a data plane, which has its own. */
  snapshotAfter: number
  /** From the request of a peering to its acceptance or refusal. */
  peeringAfter: number
  /** How long a VPC is "already being updated" after a service was detached (docs/internals/api.md, "VPCs and peerings"). */
  vpcBusyFor: number
  /** The measurements of another server; they precede the times above. */
  like?: Profile | undefined
}

export const defaultTiming: Timing = {
  readyAfter: 2000,
  changeAfter: 1000,
  deleteAfter: 1000,
  snapshotAfter: 1000,
  peeringAfter: 2000,
  vpcBusyFor: 2000,
}

/** The durations of changes that do not take `changeAfter`. */
const usual: Partial<Record<EndpointName, 'readyAfter' | 'deleteAfter'>> = {
  'create-service': 'readyAfter',
  'fork-service': 'readyAfter',
  'start-service': 'readyAfter',
  'create-replica': 'readyAfter',
  'delete-service': 'deleteAfter',
  'delete-replica': 'deleteAfter',
  'delete-vpc': 'deleteAfter',
}

/** The timing of a change: as measured, or else the default time and statuses. */
export const courseOf = (timing: Timing, operation: EndpointName): Partial<Course> & { lasts: number } =>
  timing.like?.changes[operation] ?? { lasts: timing[usual[operation] ?? 'changeAfter'] }
