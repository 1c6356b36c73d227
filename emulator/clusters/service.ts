import path from 'node:path'
import type { Gate } from '../../src/client/gate.ts'
import type { Address, HaReplicas, Incident, Sizes } from '../data-plane.ts'
import { StoppedError, UnknownIdError } from './errors.ts'
import type { BaseBackup } from './history/base-backup.ts'
import { commitAfter, nextMillisecond } from './history/moments.ts'
import { Snapshots } from './history/snapshots.ts'
import type { Settings } from './installation/settings.ts'
import type { ServiceRecord } from './record.ts'
import { changePassword } from './server/admin.ts'
import type { Cluster } from './server/cluster.ts'
import { endLeftover } from './server/leftover.ts'
import { Queue } from './server/queue.ts'
import { connectionsFor } from './server/size-settings.ts'
import { Replication } from './standby/replication.ts'
import { Rescue } from './standby/rescue.ts'
import { Standbys } from './standby/standbys.ts'

/** Milliseconds between snapshots. */
export interface SnapshotSchedule {
  /** From the start of the service to its first snapshot. */
  snapshotAfter: number
  /** From one snapshot to the next. */
  snapshotEvery: number
}

/** What the data folder of a new service was filled with. */
export interface InitialData {
  /** Settings for the first start only. */
  settings?: Settings
  /** A backup that the service's write-ahead log continues: the service can be restored to any time since. */
  backup?: Omit<BaseBackup, 'takenAt'>
}

/** A cluster with its snapshots. Jobs on it run one after the other. */
export class Service {
  readonly id: string
  readonly cluster: Cluster
  readonly snapshots: Snapshots
  readonly replication: Replication
  readonly standbys: Standbys
  readonly #gate: Gate
  readonly #schedule: SnapshotSchedule
  readonly #queue = new Queue()
  #timer: NodeJS.Timeout | undefined
  readonly #rescue: Rescue
  #deleted = false
  #isComplete = false
  #isStopped = false
  /** When the service was stopped; its data have not changed since. */
  stoppedAt: Date | undefined
  /** Called with the incidents of the database, such as an unexpected end. */
  onIncident: (incident: Incident) => void = () => {}

  /** `newFolder` names the folder of its next standby. */
  constructor(id: string, cluster: Cluster, gate: Gate, schedule: SnapshotSchedule, newFolder: () => string) {
    this.id = id
    this.cluster = cluster
    this.snapshots = new Snapshots(cluster)
    this.replication = new Replication(cluster)
    this.standbys = new Standbys(cluster, this.replication, newFolder)
    this.#rescue = new Rescue({
      ...{ id, cluster, standbys: this.standbys },
      start: () => this.start(),
      hasFailedOver: () => this.#forgetSnapshots(),
      report: incident => this.onIncident(incident),
    })
    cluster.onDeath = () => this.#bringBack(() => this.#rescue.primary())
    this.standbys.onDeath = standby => this.#bringBack(() => this.#rescue.standby(standby))
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

  /** Runs the job in its turn, even if the service is deleted by then. */
  runAnyway<T>(job: () => Promise<T>): Promise<T> {
    return this.#queue.run(job)
  }

  /** Like `run`, for work that keeps the machine busy. */
  runHeavy<T>(job: () => Promise<T>): Promise<T> {
    return this.run(() => this.#gate.run(job))
  }

  /** The first job: fills the data folder, starts the server, sets the password. */
  create(fill: (data: string) => Promise<InitialData>, password: string): Promise<Address> {
    return this.run(async () => {
      await this.cluster.makeFolders()
      const { settings, backup } = await fill(this.cluster.data)
      return this.#gate.run(async () => {
        const address = await this.cluster.start(settings)
        await changePassword(this.cluster.adminAddress, password)
        if (backup) this.snapshots.add({ ...backup, takenAt: nextMillisecond() })
        this.#planSnapshot(this.#schedule.snapshotAfter)
        this.#isComplete = true
        return address
      })
    })
  }

  /** Starts the server if it does not run. */
  async start(): Promise<Address> {
    if (this.cluster.address) return this.cluster.address
    await endLeftover(this.cluster.data)
    const address = await this.cluster.start()
    this.stoppedAt = undefined
    this.#isStopped = false
    await this.replication.resume()
    await this.standbys.start()
    this.#planSnapshot(this.snapshots.newest ? this.#schedule.snapshotEvery : this.#schedule.snapshotAfter)
    return address
  }

  /** Stops the server if it runs. */
  async stop(): Promise<void> {
    if (!this.cluster.address) return
    this.pause()
    // If marking fails, the service has one moment less to fork from, but it must stop all the same.
    await this.#markEnd().catch(() => {})
    this.#isStopped = true
    await this.cluster.stop('fast')
    await this.standbys.stop()
  }

  /** Gives the service another size. Its server is restarted for that, and its standbys must allow as many sessions. */
  async resize(sizes: Sizes): Promise<Address | undefined> {
    const { cluster, replication } = this
    const connections = connectionsFor(sizes)
    await replication.allow(connections)
    cluster.sizes = sizes
    const address = await cluster.restart()
    if (!address) return undefined
    await replication.resume()
    await replication.permitFewer(connections)
    await this.standbys.resize()
    return address
  }

  /** Gives the service this many standbys for high availability. */
  async setStandbys(counts: HaReplicas): Promise<void> {
    if (!this.cluster.address) throw new StoppedError('The service is stopped: start it first.')
    await this.standbys.change(counts)
  }

  /** Removes the service once earlier jobs are done; later jobs are refused. */
  async remove(): Promise<void> {
    this.#deleted = true
    await this.#queue.run(async () => {
      this.pause()
      await this.replication.removeStandbys()
      await this.cluster.remove()
    })
  }

  /** Whether the service was stopped on purpose. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Undefined while the service is not complete yet. */
  describe(): Omit<ServiceRecord, 'replicaSets'> | undefined {
    if (!this.#isComplete || this.#deleted) return undefined
    return {
      ...{ id: this.id, folder: path.basename(this.cluster.folder), port: this.cluster.port },
      sizes: this.cluster.sizes,
      ...{ isStopped: this.#isStopped, stoppedAt: this.stoppedAt },
      snapshots: this.snapshots.describe(),
      staleSlots: this.replication.staleSlots,
      standbys: this.standbys.describe(),
    }
  }

  /** Continues with the service of an earlier process, and starts it unless it was stopped. */
  async restore(record: ServiceRecord): Promise<void> {
    this.#isComplete = true
    this.#isStopped = record.isStopped
    this.stoppedAt = record.stoppedAt
    this.cluster.sizes = record.sizes
    if (record.standbys) this.standbys.restore(record.standbys)
    await this.snapshots.restore(record.snapshots)
    if (!record.isStopped) await this.start().catch(error => this.#rescue.failOver(error))
  }

  #bringBack(job: () => Promise<void>): void {
    void this.run(async () => this.#isStopped || job()).catch(() => {})
  }

  async #forgetSnapshots(): Promise<void> {
    await this.snapshots.clear()
    this.#planSnapshot(0)
  }

  /** When the newest snapshot was taken. The data of a stopped service count as a snapshot. */
  get lastSnapshot(): Date | undefined {
    return this.snapshots.newest ?? this.stoppedAt
  }

  /** Stops taking scheduled snapshots. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  /** Resolves when every job so far has settled. */
  idle(): Promise<void> {
    return this.#queue.idle()
  }

  /** Notes the time, with a commit after it, so that forks can be made of any time up to it. */
  async #markEnd(): Promise<void> {
    const time = nextMillisecond()
    await this.cluster.asAdmin(client => commitAfter(client, time))
    this.stoppedAt = time
  }

  #planSnapshot(delay: number): void {
    this.pause()
    this.#timer = setTimeout(() => {
      void this.runHeavy(async () => this.cluster.address && this.takeSnapshot()).catch(() => {})
    }, delay)
    this.#timer.unref()
  }

  /** Takes a snapshot now; the next follows after the usual time. */
  async takeSnapshot(): Promise<void> {
    if (!this.cluster.address) throw new StoppedError('The service is stopped: start it first.')
    try {
      await this.snapshots.take()
      this.onIncident({ kind: 'changed' })
    } finally {
      if (!this.#deleted) this.#planSnapshot(this.#schedule.snapshotEvery)
    }
  }
}
