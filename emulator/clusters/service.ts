/** The database of a service, with its history and followers. */
import path from 'node:path'
import type { Semaphore } from '#base/semaphore'
import type { Address, HaReplicas, Incident, Sizes } from '../data-plane.ts'
import { ClusterError } from './errors.ts'
import type { BaseBackup } from './history/base-backup.ts'
import { History, type SnapshotSchedule } from './history/history.ts'
import type { Settings } from './installation/settings.ts'
import type { ServiceRecord } from './record.ts'
import { changePassword } from './server/admin.ts'
import type { Cluster } from './server/cluster.ts'
import { stopLeftoverServer } from './server/leftover-server.ts'
import { Queue } from './server/queue.ts'
import { connectionsFor } from './server/size-settings.ts'
import { ReplicaSets } from './standby/replica-sets.ts'
import { Replication } from './standby/replication.ts'
import { Rescue } from './standby/rescue.ts'
import { Standbys } from './standby/standbys.ts'

/** The contents of a new service's data folder. */
export interface InitialData {
  /** Settings for the first start only. */
  settings?: Settings
  /** A backup that the service's write-ahead log continues: the service can be restored to any time since. */
  backup?: Omit<BaseBackup, 'takenAt'>
}

/** A database with its history and all of its followers. Jobs on it run one after the other. */
export class Service {
  readonly id: string
  readonly cluster: Cluster
  readonly history: History
  readonly replication: Replication
  readonly standbys: Standbys
  readonly replicaSets: ReplicaSets
  readonly #semaphore: Semaphore
  readonly #queue = new Queue()
  readonly #rescue: Rescue
  #isDeleted = false
  #isComplete = false
  #isStopped = false
  /** Called with the incidents of the database, such as an unexpected end. */
  onIncident: (incident: Incident) => void = () => {}

  /** `newFolder` names the folder of its next standby or read replica set. */
  constructor(
    id: string,
    cluster: Cluster,
    semaphore: Semaphore,
    schedule: SnapshotSchedule,
    newFolder: () => string,
  ) {
    this.id = id
    this.cluster = cluster
    this.history = new History(id, cluster, schedule, job => this.runHeavy(job))
    this.history.onSnapshot = () => this.onIncident({ kind: 'changed' })
    this.replication = new Replication(cluster, newFolder)
    this.standbys = new Standbys(cluster, this.replication)
    this.replicaSets = new ReplicaSets(this.replication)
    this.#rescue = new Rescue({
      ...{ id, cluster, standbys: this.standbys, replicaSets: this.replicaSets },
      start: () => this.start(),
      onFailover: () => this.history.resetSnapshots(),
      report: incident => this.onIncident(incident),
    })
    cluster.onCrash = () =>
      this.#enqueueRescue(async () => {
        if (!this.#isStopped) await this.#rescue.restorePrimary()
      })
    this.standbys.onCrash = standby =>
      this.#enqueueRescue(async () => {
        if (!this.#isStopped) await this.#rescue.restoreStandby(standby)
      })
    this.replicaSets.onCrash = id => this.#enqueueRescue(() => this.#rescue.restoreReplicaSet(id))
    this.#semaphore = semaphore
  }

  /** Runs the job after earlier jobs, unless the service is deleted by then. */
  run<T>(job: () => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      if (this.#isDeleted) throw new ClusterError(`The service ${this.id} is deleted.`)
      return job()
    })
  }

  /** Like `run`, for work that keeps the machine busy. */
  runHeavy<T>(job: () => Promise<T>): Promise<T> {
    return this.run(() => this.#semaphore.run(job))
  }

  /** The first job: fills the data folder, starts the server, sets the password. */
  create(fill: (data: string) => Promise<InitialData>, password: string): Promise<Address> {
    return this.run(async () => {
      await this.cluster.createFolders()
      const { settings, backup } = await fill(this.cluster.data)
      return this.#semaphore.run(async () => {
        const address = await this.cluster.start(settings)
        await changePassword(this.cluster.adminAddress, password)
        this.history.begin(backup)
        this.#isComplete = true
        return address
      })
    })
  }

  /** Starts the server if it does not run. */
  async start(): Promise<Address> {
    if (this.cluster.address) return this.cluster.address
    await stopLeftoverServer(this.cluster.data)
    const address = await this.cluster.start()
    this.history.begin()
    this.#isStopped = false
    await this.replication.resume()
    await this.standbys.start()
    return address
  }

  /** Stops the server if it runs. */
  async stop(): Promise<void> {
    if (!this.cluster.address) return
    // If this fails, forks have one time less to start from, but the service must stop nevertheless.
    await this.history.end().catch(() => {})
    this.#isStopped = true
    await this.cluster.stop('fast')
    await this.standbys.stop()
  }

  /** Gives the service another size. Its server is restarted for that, and its standbys must allow as many sessions. */
  async resize(sizes: Sizes): Promise<Address | undefined> {
    const { cluster, replication } = this
    const connections = connectionsFor(sizes)
    await replication.raiseConnectionLimit(connections)
    cluster.sizes = sizes
    const address = await cluster.restart()
    if (!address) return undefined
    await replication.resume()
    await replication.lowerConnectionLimit(connections)
    await this.standbys.resize()
    return address
  }

  /** Gives the service this many standbys for high availability. */
  async setStandbys(counts: HaReplicas): Promise<void> {
    this.cluster.checkRunning()
    await this.standbys.change(counts)
  }

  /** Creates a read replica set of the service, which must run. */
  async createReplicaSet(id: string, sizes: Sizes | undefined): Promise<Address> {
    const standby = this.replicaSets.add(id, sizes)
    try {
      return await this.runHeavy(() => this.replication.add(standby))
    } catch (error) {
      await this.deleteReplicaSet(id)
      throw error
    }
  }

  /** Gives a read replica set another size. */
  async resizeReplicaSet(id: string, sizes: Sizes): Promise<Address | undefined> {
    return this.runHeavy(async () => this.replicaSets.all.get(id)?.resize(sizes))
  }

  /** Deletes a read replica set after earlier jobs, even if the service is deleted by then. */
  deleteReplicaSet(id: string): Promise<void> {
    return this.#queue.run(() => this.replicaSets.remove(id))
  }

  /** Deletes the service after earlier jobs; later jobs are refused. */
  async remove(): Promise<void> {
    this.#isDeleted = true
    await this.#queue.run(async () => {
      this.history.pause()
      await this.replication.removeStandbys()
      await this.cluster.remove()
    })
  }

  /** Whether the service was stopped on purpose. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Undefined while the service is not complete yet. */
  describe(): ServiceRecord | undefined {
    if (!this.#isComplete || this.#isDeleted) return undefined
    return {
      ...{ id: this.id, folder: path.basename(this.cluster.folder), port: this.cluster.port },
      sizes: this.cluster.sizes,
      ...{ isStopped: this.#isStopped, stoppedAt: this.history.stoppedAt },
      snapshots: this.history.snapshots.describe(),
      staleSlots: this.replication.staleSlots,
      standbys: this.standbys.describe(),
      replicaSets: this.replicaSets.describe(),
    }
  }

  /** Continues with the service of an earlier process, and all of its followers; starts nothing yet. */
  restore(record: ServiceRecord): void {
    this.#isStopped = record.isStopped
    this.history.stoppedAt = record.stoppedAt
    this.cluster.sizes = record.sizes
    if (record.port !== undefined) this.cluster.port = record.port
    this.replication.restore(record.staleSlots)
    this.standbys.restore(record.standbys)
    this.replicaSets.restore(record.replicaSets)
  }

  /** Starts the restored service, unless it was stopped. */
  async startRestored({ snapshots, isStopped }: ServiceRecord): Promise<void> {
    this.#isComplete = true
    await this.history.snapshots.restore(snapshots)
    if (!isStopped) await this.start().catch(error => this.#rescue.failOver(error))
  }

  #enqueueRescue(job: () => Promise<unknown>): void {
    void this.run(job).catch(() => {})
  }

  /** Resolves when every job so far has settled. */
  idle(): Promise<void> {
    return this.#queue.idle()
  }

  /** Takes a snapshot now, besides the scheduled ones. */
  async takeSnapshot(): Promise<void> {
    this.cluster.checkRunning()
    await this.history.takeSnapshot()
  }
}
