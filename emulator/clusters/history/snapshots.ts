/** Takes, finds and deletes snapshots. */
import { access } from 'node:fs/promises'
import path from 'node:path'
import { succeeds } from '../disk/files.ts'
import { removeTree } from '../disk/tree.ts'
import { listArchive, pruneArchive } from '../disk/wal.ts'
import type { SnapshotsRecord } from '../record.ts'
import type { Cluster } from '../server/cluster.ts'
import { type BaseBackup, takeBaseBackup } from './base-backup.ts'
import { nextMillisecond } from './moments.ts'

/** 32 MB: replaying a longer log since the last base backup would take longer than a new backup. */
const maxSegments = 32
const keptBackups = 2

/**
 * The times that a cluster can be restored to. A snapshot is a time; its data is that of the base backup
 * before it, completed with the log. So a snapshot costs nothing while little is written.
 */
export class Snapshots {
  readonly #cluster: Cluster
  /** Oldest first. */
  readonly #backups: BaseBackup[] = []
  #newest: Date | undefined
  #count = 0

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  describe(): SnapshotsRecord {
    const root = this.#cluster.installation.folder
    const backups = this.#backups.map(({ data, firstWal, takenAt }) => {
      return { folder: path.relative(root, data), firstWal, takenAt }
    })
    return { backups, newest: this.#newest, count: this.#count }
  }

  /** Continues with the snapshots of an earlier process whose files exist. */
  async restore({ backups, newest, count }: SnapshotsRecord): Promise<void> {
    this.#count = count
    for (const { folder, firstWal, takenAt } of backups) {
      const data = path.join(this.#cluster.installation.folder, folder)
      const hasFiles = await succeeds(access(path.join(data, 'PG_VERSION')))
      if (hasFiles) this.#backups.push({ data, firstWal, takenAt })
    }
    if (this.#backups.length > 0) this.#newest = newest
  }

  /** The time of the newest snapshot. */
  get newest(): Date | undefined {
    return this.#newest
  }

  /** The earliest time the cluster can be restored to. */
  get earliest(): Date | undefined {
    return this.#backups[0]?.takenAt
  }

  /** The newest base backup that was complete at the given time. */
  findBackup(time: Date): BaseBackup | undefined {
    return this.#backups.findLast(backup => backup.takenAt <= time)
  }

  /** Discards all snapshots, because their log is no longer complete. */
  async clear(): Promise<void> {
    this.#newest = undefined
    await this.#remove(this.#backups.splice(0))
  }

  /** Adds a base backup outside the folder of the cluster. It is not deleted when it is too old. */
  add(backup: BaseBackup): void {
    this.#backups.push(backup)
  }

  /** Takes a snapshot of the running cluster. */
  async take(): Promise<void> {
    const last = this.#backups.at(-1)
    const segments = last
      ? (await listArchive(this.#cluster.archive)).filter(name => name >= last.firstWal)
      : []
    if (!last || segments.length > maxSegments) await this.#backUp()
    this.#newest = nextMillisecond()
  }

  async #backUp(): Promise<void> {
    const folder = path.join(this.#cluster.folder, `snapshot${++this.#count}`)
    try {
      this.#backups.push(await takeBaseBackup(this.#cluster, folder))
    } catch (error) {
      await removeTree(folder)
      throw error
    }
    await this.#remove(this.#backups.splice(0, this.#backups.length - keptBackups))
    const [oldest] = this.#backups
    if (oldest) await pruneArchive(this.#cluster.archive, oldest.firstWal)
  }

  /** Base backups outside the folder of the cluster stay. */
  async #remove(backups: readonly BaseBackup[]): Promise<void> {
    for (const { data } of backups) {
      if (path.dirname(data) === this.#cluster.folder) await removeTree(data)
    }
  }
}
