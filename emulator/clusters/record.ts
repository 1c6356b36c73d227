/** The stored descriptions of clusters. */
import type { Address, Sizes } from '../data-plane.ts'

export interface ClusterRecord {
  folder: string
  port: number | undefined
  sizes: Sizes | undefined
}

export interface StandbyRecord extends ClusterRecord {
  /** The primary's port as the standby knows it. */
  primaryPort: number | undefined
  /** The standby allows at least this many sessions. */
  leastConnections: number
}

/** The standbys of a service with high availability, the synchronous ones first; `synchronous` is their number. */
export interface StandbysRecord {
  synchronous: number
  all: StandbyRecord[]
}

export interface ReplicaSetRecord extends StandbyRecord {
  id: string
}

export interface SnapshotsRecord {
  backups: { folder: string; firstWal: string; takenAt: Date }[]
  newest: Date | undefined
  count: number
}

export interface ServiceRecord extends ClusterRecord {
  id: string
  isStopped: boolean
  stoppedAt: Date | undefined
  snapshots: SnapshotsRecord
  replicaSets: ReplicaSetRecord[]
  staleSlots: string[]
  standbys: StandbysRecord
}

export interface ForwarderRecord {
  id: string
  purpose: 'pooler' | 'vpc'
  address: Address
}

/** Everything that another process needs to continue with the clusters of a folder. Folders have relative names. */
export interface ClustersRecord {
  services: ServiceRecord[]
  forwarders: ForwarderRecord[]
}
