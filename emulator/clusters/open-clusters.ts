import { Clusters } from './clusters.ts'
import type { SnapshotSchedule } from './history/history.ts'
import { type InstallationOptions, openInstallation } from './installation/installation.ts'
import type { ClustersRecord } from './record.ts'

/** What `openClusters` can be told. */
export interface ClustersOptions extends Partial<SnapshotSchedule>, InstallationOptions {
  /** What the clusters in this folder recorded earlier: they are brought back from it. */
  record?: ClustersRecord | undefined
  /** Ids of services and replica sets that are about to be deleted, so need not be started. */
  leftOut?: ReadonlySet<string>
  /** Ports that callers were already told, of services that are about to be created. */
  promisedPorts?: readonly number[] | undefined
}

const defaultSchedule: SnapshotSchedule = { snapshotAfter: 1_000, snapshotEvery: 10 * 60_000 }

/**
 * Opens the data plane: real PostgreSQL clusters, all below one temporary folder, none of which outlives this
 * process. Rejects with a `ClusterError` that says what this machine lacks.
 */
export async function openClusters(options: ClustersOptions = {}): Promise<Clusters> {
  const { snapshotAfter, snapshotEvery } = { ...defaultSchedule, ...options }
  const installation = await openInstallation(options)
  for (const port of options.promisedPorts ?? []) installation.ports.reserve(port)
  const clusters = new Clusters(installation, { snapshotAfter, snapshotEvery })
  await clusters.restore(options.record ?? { services: [], forwarders: [] }, options.leftOut ?? new Set())
  return clusters
}
