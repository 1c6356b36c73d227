import type { Address } from '../data-plane.ts'
import { changePassword } from './admin.ts'
import type { Cluster } from './cluster.ts'
import { UnknownIdError } from './errors.ts'
import { type Gate, Queue } from './queue.ts'
import { type ReplicaSet, resumeReplication } from './replica-set.ts'
import type { Settings } from './server.ts'
import { Snapshots } from './snapshots.ts'
import { commitMarker } from './wal.ts'

/** When snapshots are taken, in ms. */
export interface SnapshotSchedule {
  /** The first one, after the service is there. */
  snapshotAfter: number
  /** Each further one, after the one before. */
  snapshotEvery: number
}

/** A cluster with its snapshots. What is done to it is done one after the other. */
export class Service {
  readonly id: string
  readonly cluster: Cluster
  readonly snapshots: Snapshots
  readonly replicaSets = new Set<ReplicaSet>()
  /** Replication slots of replica sets that are gone. */
  readonly staleSlots = new Set<string>()
  readonly #gate: Gate
  readonly #schedule: SnapshotSchedule
  readonly #queue = new Queue()
  #timer: NodeJS.Timeout | undefined
  #deleted = false
  /** When it was stopped; nothing was written after. */
  stoppedAt: Date | undefined

  constructor(id: string, cluster: Cluster, gate: Gate, schedule: SnapshotSchedule) {
    this.id = id
    this.cluster = cluster
    this.snapshots = new Snapshots(cluster)
    this.#gate = gate
    this.#schedule = schedule
  }

  /** Runs the job in its turn, unless the service is deleted by then. */
  run<T>(job: () => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      if (this.#deleted) throw new UnknownIdError(`The service ${this.id} is deleted.`)
      return job()
    })
  }

  /** Like `run`, for work that keeps the machine busy. */
  runHeavy<T>(job: () => Promise<T>): Promise<T> {
    return this.run(() => this.#gate.run(job))
  }

  /**
   * The first job of all: fills the data folder, starts the server, sets the password. `fill` gives the
   * settings for this first start.
   */
  create(fill: (data: string) => Promise<Settings | undefined>, password: string): Promise<Address> {
    return this.run(async () => {
      await this.cluster.makeFolders()
      const settings = await fill(this.cluster.data)
      return this.#gate.run(async () => {
        const address = await this.cluster.start(settings)
        await changePassword(this.cluster.adminAddress, password)
        this.#planSnapshot(this.#schedule.snapshotAfter)
        return address
      })
    })
  }

  /** Starts the server if it does not run. */
  async start(): Promise<Address> {
    const address = await this.cluster.start()
    this.stoppedAt = undefined
    await resumeReplication(this)
    this.#planSnapshot(this.snapshots.newest ? this.#schedule.snapshotEvery : this.#schedule.snapshotAfter)
    return address
  }

  /** Stops the server if it runs. */
  async stop(): Promise<void> {
    if (!this.cluster.address) return
    this.pause()
    // Forks need a snapshot also of a service that never ran long enough for one.
    if (!this.snapshots.newest) await this.snapshots.take()
    await this.cluster.asAdmin(commitMarker)
    await this.cluster.stop('fast')
    this.stoppedAt = new Date()
  }

  /** Removes the service when what was asked of it before is done; later jobs are refused. */
  async remove(): Promise<void> {
    this.#deleted = true
    await this.#queue.run(async () => {
      this.pause()
      for (const { cluster } of this.replicaSets) await cluster.remove()
      await this.cluster.remove()
    })
  }

  /** Takes no more snapshots by itself. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  /** Resolves when every job so far has settled. */
  idle(): Promise<void> {
    return this.#queue.idle()
  }

  #planSnapshot(delay: number): void {
    this.pause()
    this.#timer = setTimeout(() => {
      void this.runHeavy(() => this.#takeSnapshot()).catch(() => {})
    }, delay)
    this.#timer.unref()
  }

  async #takeSnapshot(): Promise<void> {
    if (!this.cluster.address) return
    try {
      await this.snapshots.take()
    } finally {
      if (!this.#deleted) this.#planSnapshot(this.#schedule.snapshotEvery)
    }
  }
}
