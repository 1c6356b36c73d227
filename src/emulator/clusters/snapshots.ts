import { rm } from 'node:fs/promises'
import path from 'node:path'
import { type BaseBackup, takeBaseBackup } from './base-backup.ts'
import type { Cluster } from './cluster.ts'
import { pruneArchive } from './wal.ts'

const kept = 2

/** The newest base backups of one cluster, oldest first. */
export class Snapshots {
  readonly #cluster: Cluster
  readonly #backups: BaseBackup[] = []
  #count = 0

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  get newest(): BaseBackup | undefined {
    return this.#backups.at(-1)
  }

  get oldest(): BaseBackup | undefined {
    return this.#backups[0]
  }

  /** The newest that was complete at the given time. */
  before(time: Date): BaseBackup | undefined {
    return this.#backups.findLast(backup => backup.takenAt <= time)
  }

  /** Takes one more, and removes those beyond the newest two with the log that only they needed. */
  async take(): Promise<void> {
    const folder = path.join(this.#cluster.folder, `snapshot${++this.#count}`)
    try {
      this.#backups.push(await takeBaseBackup(this.#cluster, folder))
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
    for (const old of this.#backups.splice(0, this.#backups.length - kept)) {
      await rm(old.data, { recursive: true, force: true })
    }
    if (this.oldest) await pruneArchive(this.#cluster, this.oldest.firstWal)
  }
}
