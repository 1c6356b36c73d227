/** Copies segments of the write-ahead log. */
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { ClusterError } from '../errors.ts'
import type { SystemAccount } from '../machine/system-account.ts'
import { copyOne, ifExists, linkOne } from './files.ts'

/** Segments of the write-ahead log sort by age: timeline, then position (PostgreSQL docs, "WAL Internals"). */
const segmentName = /^[0-9A-F]{24}$/
/** A history file records where a timeline branched off: a restored service starts a new timeline. */
const historyName = /^[0-9A-F]{8}\.history$/

/** The places of a server's write-ahead log. */
interface WalSource {
  /** The owner of the copies; undefined if it is the emulator's own user. */
  readonly account: SystemAccount | undefined
  /** The data folder, with the segments still in use. */
  readonly data: string
  /** The folder of the finished segments. */
  readonly archive: string
}

/**
 * Copies the segments from `first` to `last`, both included, into the folder `to`. `last` must be finished.
 * The archive is searched first, because the server deletes archived segments from its data. Archived
 * segments are only linked: a server with a new timeline never writes to them.
 */
export async function copyWal(
  source: WalSource,
  to: string,
  first: string,
  last?: string,
  use: 'a copy' | 'a link' = 'a copy',
): Promise<void> {
  const { account, archive } = source
  const live = path.join(source.data, 'pg_wal')
  const isNeeded = (name: string) =>
    historyName.test(name) || (segmentName.test(name) && name >= first && (!last || name <= last))
  // The live folder is read first: a segment that leaves it before the second read is in the archive by then.
  const names = new Set([...(await readdir(live)), ...(await readdir(archive))])
  const copyArchived = use === 'a link' ? linkOne : copyOne
  const copySegment = async (name: string) => {
    const target = path.join(to, name)
    const tryToCopy = (folder: string, copy: typeof copyOne) =>
      ifExists(copy(account, path.join(folder, name), target).then(() => true))
    if (await tryToCopy(archive, copyArchived)) return
    if (await tryToCopy(live, copyOne)) return
    // The segment was archived and deleted between the two attempts.
    await copyOne(account, path.join(archive, name), target)
  }
  await Promise.all([...names].filter(isNeeded).map(copySegment))
}

/** The oldest segment in the data folder of a stopped server: starting from the folder needs no older one. */
export async function findOldestSegment(data: string): Promise<string> {
  const names = await readdir(path.join(data, 'pg_wal'))
  const newest = names
    .filter(name => segmentName.test(name))
    .sort()
    .at(-1)
  if (!newest) throw new ClusterError(`${data} holds no write-ahead log.`)
  return newest
}

/** The names of the segments in an archive. */
export async function listArchive(archive: string): Promise<string[]> {
  const names = await readdir(archive)
  return names.filter(name => segmentName.test(name))
}

/** Removes the segments older than `first` from an archive. */
export async function pruneArchive(archive: string, first: string): Promise<void> {
  const old = (await listArchive(archive)).filter(name => name < first)
  await Promise.all(old.map(name => rm(path.join(archive, name), { force: true })))
}
