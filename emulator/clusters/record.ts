import type { Address, Sizes } from '../data-plane.ts'

/** What another process needs to know to go on with the clusters of a folder. Folders are named relative to it. */
export interface ClustersRecord {
  services: ServiceRecord[]
  forwarders: ForwarderRecord[]
}

export interface ClusterRecord {
  id: string
  folder: string
  port: number | undefined
  sizes?: Sizes | undefined
}

export interface ServiceRecord extends ClusterRecord {
  isStopped: boolean
  stoppedAt: Date | undefined
  snapshots: SnapshotsRecord
  replicaSets: ReplicaSetRecord[]
  staleSlots: string[]
  standbys?: StandbysRecord
}

/** The standbys of a service with high availability, the synchronous ones first; `synchronous` is their number. */
export interface StandbysRecord {
  synchronous: number
  all: ReplicaSetRecord[]
}

export interface ReplicaSetRecord extends ClusterRecord {
  /** The primary's port as the standby knows it. */
  primaryPort: number | undefined
  /** The standby allows at least this many sessions. */
  leastConnections?: number
}

export interface SnapshotsRecord {
  backups: { folder: string; firstWal: string; takenAt: Date }[]
  newest: Date | undefined
  count: number
}

export interface ForwarderRecord {
  id: string
  purpose: 'pooler' | 'vpc'
  address: Address
}
