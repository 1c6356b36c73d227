/** Restores the clusters of an earlier process. */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '#base/unknown-values'
import type { Address, RestoredDatabase } from '../data-plane.ts'
import { removeTree } from './disk/tree.ts'
import { poolerFolder } from './forwarding/pooler.ts'
import type { Installation } from './installation/installation.ts'
import type { ClusterRecord, ClustersRecord, ServiceRecord } from './record.ts'
import type { Registry } from './registry.ts'

/** The parts of `Clusters` for restoring. */
interface Restorer {
  installation: Installation
  registry: Registry
  openForwarder(id: string, purpose: 'pooler' | 'vpc', port: number): Promise<Address>
}

/** Folders of clusters, as `Clusters` names them. */
const clusterFolder = /^c(\d+)$/

function clustersOf(service: ServiceRecord): ClusterRecord[] {
  return [service, ...service.replicaSets, ...service.standbys.all]
}

/**
 * Deletes the folders of unfinished or half-deleted clusters. Returns the highest number among the remaining folders.
 */
async function deleteUnknownFolders(folder: string, { services }: ClustersRecord): Promise<number> {
  const known = new Set(services.flatMap(clustersOf).map(one => one.folder))
  for (const name of await readdir(folder)) {
    if ((clusterFolder.test(name) && !known.has(name)) || poolerFolder.test(name)) {
      await removeTree(path.join(folder, name))
    }
  }
  return Math.max(0, ...[...known].map(name => Number(clusterFolder.exec(name)?.[1])))
}

function portsIn({ services, forwarders }: ClustersRecord): number[] {
  const clusters = services.flatMap(clustersOf)
  return [...clusters.map(({ port }) => port), ...forwarders.map(({ address }) => address.port)].filter(
    port => port !== undefined,
  )
}

async function tryToStart(
  cluster: { address: Address | undefined },
  start: () => Promise<unknown>,
): Promise<RestoredDatabase> {
  try {
    await start()
    return cluster.address ? { address: cluster.address } : {}
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

async function restoreService(
  record: ServiceRecord,
  idsToSkip: ReadonlySet<string>,
  restorer: Restorer,
  restored: Map<string, RestoredDatabase>,
): Promise<void> {
  const service = restorer.registry.add(record.id, record.folder)
  service.restore(record)
  if (idsToSkip.has(record.id)) return
  const startRestored = () => service.runHeavy(() => service.startRestored(record))
  restored.set(record.id, await tryToStart(service.cluster, startRestored))
  for (const [id, standby] of service.replicaSets.all) {
    if (idsToSkip.has(id)) continue
    const start = () => service.runHeavy(() => standby.start())
    restored.set(id, await tryToStart(standby.cluster, start))
  }
}

/**
 * Restores the clusters of another process from the folder, before any other work; returns the result for
 * each. `idsToSkip` has the ids of those that are about to be deleted: they are not started.
 */
export async function restoreClusters(
  record: ClustersRecord,
  idsToSkip: ReadonlySet<string>,
  restorer: Restorer,
): Promise<Map<string, RestoredDatabase>> {
  const { installation, registry } = restorer
  registry.skipFolders(await deleteUnknownFolders(installation.folder, record))
  for (const port of portsIn(record)) installation.ports.reserve(port)
  const restored = new Map<string, RestoredDatabase>()
  await Promise.all(record.services.map(service => restoreService(service, idsToSkip, restorer, restored)))
  for (const { id, purpose, address } of record.forwarders) {
    const database = restored.get(id)
    if (database === undefined || idsToSkip.has(id)) continue
    try {
      database[purpose] = await restorer.openForwarder(id, purpose, address.port)
    } catch (error) {
      // The other databases are restored nevertheless.
      database.problem = `its ${purpose} could not be opened: ${messageOf(error)}`
    }
  }
  return restored
}
