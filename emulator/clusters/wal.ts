import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Cluster } from './cluster.ts'
import { ClusterError } from './errors.ts'
import { copyOne, unlessGone } from './files.ts'

/** Segments of the write-ahead log sort by age: timeline, then position (PostgreSQL docs, "WAL Internals"). */
const segmentName = /^[0-9A-F]{24}$/
/** How a timeline came out of another: needed to follow one that a restored service began. */
const historyName = /^[0-9A-F]{8}\.history$/

/**
 * Copies the cluster's segments from `first` to `last`, both included, into the folder `to`. `last` must be
 * finished. The archive is asked first, because the cluster deletes what it has archived.
 */
export async function copyWal(cluster: Cluster, to: string, first: string, last?: string): Promise<void> {
  const { account } = cluster
  const live = path.join(cluster.data, 'pg_wal')
  const wanted = (name: string) =>
    historyName.test(name) || (segmentName.test(name) && name >= first && (!last || name <= last))
  // In this order: what leaves the live folder between the two readings is in the archive by then.
  const names = new Set([...(await readdir(live)), ...(await readdir(cluster.archive))])
  for (const name of [...names].filter(wanted)) {
    const copyFrom = (folder: string) =>
      unlessGone(copyOne(account, path.join(folder, name), path.join(to, name)).then(() => true))
    const copied = (await copyFrom(cluster.archive)) ?? (await copyFrom(live))
    // Archived and deleted between the two tries.
    if (!copied) await copyOne(account, path.join(cluster.archive, name), path.join(to, name))
  }
}

/** The oldest segment in the data folder of a stopped server: none older is needed to start from it. */
export async function findOldestSegment(data: string): Promise<string> {
  const names = await readdir(path.join(data, 'pg_wal'))
  const newest = names
    .filter(name => segmentName.test(name))
    .sort()
    .at(-1)
  if (!newest) throw new ClusterError(`${data} holds no write-ahead log.`)
  return newest
}

/** The names of the archived segments. */
export async function listArchive(cluster: Cluster): Promise<string[]> {
  const names = await readdir(cluster.archive)
  return names.filter(name => segmentName.test(name))
}

/** Removes archived segments older than `first`. */
export async function pruneArchive(cluster: Cluster, first: string): Promise<void> {
  const old = (await listArchive(cluster)).filter(name => name < first)
  await Promise.all(old.map(name => rm(path.join(cluster.archive, name), { force: true })))
}
