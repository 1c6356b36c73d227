/** The points in time that forks of a service can start from. */
import type { Cluster } from '../server/cluster.ts'
import type { BaseBackup } from './base-backup.ts'
import { commitAfter, nextMillisecond } from './moments.ts'
import { Snapshots } from './snapshots.ts'

/** Milliseconds between snapshots. */
export interface SnapshotSchedule {
  /** From the start of the service to its first snapshot. */
  snapshotAfter: number
  /** From one snapshot to the next. */
  snapshotEvery: number
}

/**
 * The times of a service that forks can start from: its snapshots, all times since the first one, and its end
 * if it is stopped.
 */
export class History {
  readonly id: string
  readonly cluster: Cluster
  readonly snapshots: Snapshots
  readonly #schedule: SnapshotSchedule
  readonly #enqueue: (job: () => Promise<void>) => Promise<void>
  #timer: NodeJS.Timeout | undefined
  /** When the service was stopped; its data has not changed since. */
  stoppedAt: Date | undefined
  /** Called after each new snapshot. */
  onSnapshot: () => void = () => {}

  /** `enqueue` runs a job of the service after its earlier jobs. */
  constructor(
    id: string,
    cluster: Cluster,
    schedule: SnapshotSchedule,
    enqueue: (job: () => Promise<void>) => Promise<void>,
  ) {
    this.id = id
    this.cluster = cluster
    this.snapshots = new Snapshots(cluster)
    this.#schedule = schedule
    this.#enqueue = enqueue
  }

  /** The time of the newest snapshot. The data of a stopped service counts as a snapshot. */
  get lastSnapshot(): Date | undefined {
    return this.snapshots.newest ?? this.stoppedAt
  }

  /** Called when the service has started, for the first time with the backup that its log continues, if any. */
  begin(backup?: Omit<BaseBackup, 'takenAt'>): void {
    this.stoppedAt = undefined
    if (backup) this.snapshots.add({ ...backup, takenAt: nextMillisecond() })
    this.#scheduleSnapshot(
      this.snapshots.newest ? this.#schedule.snapshotEvery : this.#schedule.snapshotAfter,
    )
  }

  /**
   * Called before the service stops: records the time, with a commit after it, so that forks can use any time up to it.
   */
  async end(): Promise<void> {
    this.pause()
    const time = nextMillisecond()
    await this.cluster.asAdmin(client => commitAfter(client, time))
    this.stoppedAt = time
  }

  /** Takes a snapshot now; the next follows after the usual time. The service must run. */
  async takeSnapshot(): Promise<void> {
    try {
      await this.snapshots.take()
      this.onSnapshot()
    } finally {
      this.#scheduleSnapshot(this.#schedule.snapshotEvery)
    }
  }

  /** Discards all snapshots, because the data of the service has been replaced, and takes another one soon. */
  async resetSnapshots(): Promise<void> {
    await this.snapshots.clear()
    this.#scheduleSnapshot(0)
  }

  /** Cancels the next scheduled snapshot. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  #scheduleSnapshot(delay: number): void {
    this.pause()
    const take = async () => {
      if (this.cluster.address) await this.takeSnapshot()
    }
    this.#timer = setTimeout(() => void this.#enqueue(take).catch(() => {}), delay)
    this.#timer.unref()
  }
}
