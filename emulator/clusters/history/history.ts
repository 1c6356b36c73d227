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

/** The moments of a service that forks can start from: its snapshots, the time since, and its end once it is stopped. */
export class History {
  readonly id: string
  readonly cluster: Cluster
  readonly snapshots: Snapshots
  readonly #schedule: SnapshotSchedule
  readonly #later: (job: () => Promise<void>) => Promise<void>
  #timer: NodeJS.Timeout | undefined
  /** When the service was stopped; its data have not changed since. */
  stoppedAt: Date | undefined
  /** Called when there is another snapshot. */
  onSnapshot: () => void = () => {}

  /** `later` runs a job as one of the service's, in its turn. */
  constructor(
    id: string,
    cluster: Cluster,
    schedule: SnapshotSchedule,
    later: (job: () => Promise<void>) => Promise<void>,
  ) {
    this.id = id
    this.cluster = cluster
    this.snapshots = new Snapshots(cluster)
    this.#schedule = schedule
    this.#later = later
  }

  /** When the newest snapshot was taken. The data of a stopped service count as a snapshot. */
  get lastSnapshot(): Date | undefined {
    return this.snapshots.newest ?? this.stoppedAt
  }

  /** To be called when the service has started, for the first time with the backup that its log continues, if any. */
  begin(backup?: Omit<BaseBackup, 'takenAt'>): void {
    this.stoppedAt = undefined
    if (backup) this.snapshots.add({ ...backup, takenAt: nextMillisecond() })
    this.#plan(this.snapshots.newest ? this.#schedule.snapshotEvery : this.#schedule.snapshotAfter)
  }

  /**
   * To be called before the service is stopped: notes the time, with a commit after it, so that forks can be made of any
   * time up to it.
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
      this.#plan(this.#schedule.snapshotEvery)
    }
  }

  /** Forgets all snapshots, because the data of the service have been replaced, and takes another one soon. */
  async startAnew(): Promise<void> {
    await this.snapshots.clear()
    this.#plan(0)
  }

  /** Stops taking scheduled snapshots. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  #plan(delay: number): void {
    this.pause()
    const take = async () => {
      if (this.cluster.address) await this.takeSnapshot()
    }
    this.#timer = setTimeout(() => void this.#later(take).catch(() => {}), delay)
    this.#timer.unref()
  }
}
