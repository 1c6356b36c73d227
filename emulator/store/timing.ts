/** How long each kind of work takes in the emulated service, in milliseconds. */
export interface Timing {
  /** Creating, forking and starting a service; creating a replica set. */
  readyAfter: number
  /** Every other change: pausing, resizing, high availability, poolers, attaching to a VPC. */
  changeAfter: number
  /** How long a deleted service or replica set stays DELETING. */
  deleteAfter: number
  /** From the first READY of a service to its first snapshot; only without a data plane, which has its own. */
  snapshotAfter: number
  /** From asking for a peering to the peer's acceptance or refusal. */
  peeringAfter: number
  /** How long a VPC is "already being updated" after a service was detached (docs/api.md, "VPCs and peerings"). */
  vpcBusyFor: number
}

export const defaultTiming: Timing = {
  readyAfter: 2000,
  changeAfter: 1000,
  deleteAfter: 1000,
  snapshotAfter: 1000,
  peeringAfter: 2000,
  vpcBusyFor: 2000,
}
