// Restores the clusters of an earlier process.

import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Address, Returned } from '../data-plane.ts'
import { removeTree } from './disk/tree.ts'
import { describeError } from './errors.ts'
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
  return [service, ...service.replicaSets, ...(service.standbys?.all ?? [])]
}

/**
 * Deletes the folders of unfinished or half-deleted clusters. Returns the highest number among the remaining folders.
 */
async function removeUnknown(folder: string, { services }: ClustersRecord): Promise<number> {
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

async function outcome(
  cluster: { address: Address | undefined },
  start: () => Promise<unknown>,
): Promise<Returned> {
  try {
    await start()
    return cluster.address ? { address: cluster.address } : {}
  } catch (error) {
    return { problem: describeError(error) }
  }
}

async function restoreService(
  record: ServiceRecord,
  leftOut: ReadonlySet<string>,
  restorer: Restorer,
  returned: Map<string, Returned>,
): Promise<void> {
  const service = restorer.registry.add(record.id, record.folder)
  service.restore(record)
  if (leftOut.has(record.id)) return
  const comeBack = () => service.runHeavy(() => service.comeBack(record))
  returned.set(record.id, await outcome(service.cluster, comeBack))
  for (const [id, standby] of service.replicaSets.all) {
    if (leftOut.has(id)) continue
    const start = () => service.runHeavy(() => standby.start())
    returned.set(id, await outcome(standby.cluster, start))
  }
}

/**
 * Restores the clusters of another process from the folder, before any other work; returns the result for
 * each. `leftOut` has the ids of those that are about to be deleted: they are not started.
 */
export async function restoreClusters(
  record: ClustersRecord,
  leftOut: ReadonlySet<string>,
  restorer: Restorer,
): Promise<Map<string, Returned>> {
  const { installation, registry } = restorer
  registry.skipFolders(await removeUnknown(installation.folder, record))
  for (const port of portsIn(record)) installation.ports.reserve(port)
  const returned = new Map<string, Returned>()
  await Promise.all(record.services.map(service => restoreService(service, leftOut, restorer, returned)))
  for (const { id, purpose, address } of record.forwarders) {
    const found = returned.get(id)
    if (found === undefined || leftOut.has(id)) continue
    try {
      found[purpose] = await restorer.openForwarder(id, purpose, address.port)
    } catch (error) {
      // The other databases are restored nevertheless.
      found.problem = `its ${purpose} could not be opened: ${describeError(error)}`
    }
  }
  return returned
}
