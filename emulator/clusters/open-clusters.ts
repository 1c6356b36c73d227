/** Opens the data plane. */
import { Clusters } from './clusters.ts'
import type { SnapshotSchedule } from './history/history.ts'
import { type InstallationOptions, openInstallation } from './installation/installation.ts'
import type { ClustersRecord } from './record.ts'

/** The options of `openClusters`. */
export interface ClustersOptions extends Partial<SnapshotSchedule>, InstallationOptions {
  /** The record of the clusters in this folder, to restore them. */
  record?: ClustersRecord | undefined
  /** Ids of services and replica sets that are about to be deleted, so they are not started. */
  idsToSkip?: ReadonlySet<string>
  /** Ports that callers already know, of services that are about to be created. */
  promisedPorts?: readonly number[] | undefined
}

const defaultSchedule: SnapshotSchedule = { snapshotAfter: 1_000, snapshotEvery: 10 * 60_000 }

/**
 * Opens the data plane: real PostgreSQL clusters, all below one temporary folder, none of which outlives this
 * process. Rejects with a `ClusterError` that names the missing requirement.
 */
export async function openClusters(options: ClustersOptions = {}): Promise<Clusters> {
  const { snapshotAfter, snapshotEvery } = { ...defaultSchedule, ...options }
  const installation = await openInstallation(options)
  for (const port of options.promisedPorts ?? []) installation.ports.reserve(port)
  const clusters = new Clusters(installation, { snapshotAfter, snapshotEvery })
  await clusters.restore(options.record ?? { services: [], forwarders: [] }, options.idsToSkip ?? new Set())
  return clusters
}
