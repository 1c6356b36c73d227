import { availableParallelism } from 'node:os'
import { Gate } from '../../src/client/gate.ts'
import type { Address, DataPlane, Figures, ForkPoint, LogEntry } from '../data-plane.ts'
import { changePassword } from './admin.ts'
import { Cluster, listenHost } from './cluster.ts'
import { copyDataFolder } from './data-folder.ts'
import { ClosedError, ClusterError, UnknownIdError } from './errors.ts'
import { readFigures } from './figures.ts'
import { copyAt } from './fork.ts'
import { Forwarder } from './forwarder.ts'
import { type Installation, openInstallation, removeInstallation } from './installation.ts'
import { readLogFile } from './log-file.ts'
import { ReplicaSet } from './replica-set.ts'
import { type InitialData, Service, type SnapshotSchedule } from './service.ts'

/** What `openClusters` can be told. */
export interface ClustersOptions extends Partial<SnapshotSchedule> {
  /** Everything is kept in a folder of its own below this one; by default the system's temporary folder. */
  root?: string
}

const defaultSchedule: SnapshotSchedule = { snapshotAfter: 1_000, snapshotEvery: 10 * 60_000 }

/**
 * Opens the data plane: real PostgreSQL clusters, all below one temporary folder, none of which outlives this
 * process. Rejects with a `ClusterError` that says what this machine lacks.
 */
export async function openClusters({ root, ...schedule }: ClustersOptions = {}): Promise<Clusters> {
  return new Clusters(await openInstallation(root), { ...defaultSchedule, ...schedule })
}

/** The data plane. The promises of its methods reject with a `ClusterError` when the id is unknown or taken. */
export class Clusters implements DataPlane {
  readonly #installation: Installation
  readonly #schedule: SnapshotSchedule
  readonly #gate = new Gate(Math.max(2, availableParallelism()))
  readonly #services = new Map<string, Service>()
  readonly #replicaSets = new Map<string, { service: Service; replicaSet: ReplicaSet }>()
  readonly #forwarders = new Map<string, Promise<Forwarder>>()
  #folders = 0
  #closing: Promise<void> | undefined

  constructor(installation: Installation, schedule: SnapshotSchedule) {
    this.#installation = installation
    this.#schedule = schedule
  }

  /** The self-signed certificate of every cluster, PEM. A client that trusts it can connect with `verify-full`. */
  get certificate(): string {
    return this.#installation.certificate
  }

  async reserveAddress(): Promise<Address> {
    return { host: listenHost, port: await this.#installation.ports.take() }
  }

  releaseAddress({ port }: Address): void {
    this.#installation.ports.release(port)
  }

  async createService(serviceId: string, password: string, reserved?: Address): Promise<Address> {
    const { template, programs } = this.#installation
    return this.#create(serviceId, password, reserved, async data => {
      await this.#gate.run(() => copyDataFolder(programs.account, template.data, data))
      return { backup: template }
    })
  }

  async forkService(
    serviceId: string,
    parentServiceId: string,
    point: ForkPoint,
    password: string,
    reserved?: Address,
  ): Promise<Address> {
    const parent = this.#service(parentServiceId)
    return this.#create(serviceId, password, reserved, async data => {
      const settings = await parent.runHeavy(() => copyAt(parent, point, data))
      return { settings }
    })
  }

  async startService(serviceId: string): Promise<Address> {
    const service = this.#service(serviceId)
    return service.runHeavy(() => service.start())
  }

  async stopService(serviceId: string): Promise<void> {
    const service = this.#service(serviceId)
    return service.run(() => service.stop())
  }

  async setPassword(serviceId: string, password: string): Promise<void> {
    const service = this.#service(serviceId)
    return service.run(() => changePassword(service.cluster.adminAddress, password))
  }

  async deleteService(serviceId: string): Promise<void> {
    const service = this.#services.get(serviceId)
    if (!service) return
    await service.remove()
    for (const [id, entry] of this.#replicaSets) {
      if (entry.service === service) await this.#forgetReplicaSet(id)
    }
    // In this order, so that no forwarder is opened in between.
    this.#services.delete(serviceId)
    await this.#closeForwarders(serviceId)
  }

  async createReplicaSet(replicaSetId: string, serviceId: string): Promise<Address> {
    const service = this.#service(serviceId)
    this.#checkNew(replicaSetId)
    const replicaSet = new ReplicaSet(service.cluster, this.#nextFolder())
    this.#replicaSets.set(replicaSetId, { service, replicaSet })
    return service
      .runHeavy(() => service.replication.add(replicaSet))
      .catch(async error => {
        await this.deleteReplicaSet(replicaSetId)
        throw error
      })
  }

  async deleteReplicaSet(replicaSetId: string): Promise<void> {
    const entry = this.#replicaSets.get(replicaSetId)
    if (!entry) return
    const { service, replicaSet } = entry
    await service.runAnyway(() => service.replication.remove(replicaSet))
    await this.#forgetReplicaSet(replicaSetId)
  }

  async openForwarder(id: string, purpose: 'pooler' | 'vpc'): Promise<Address> {
    const cluster = this.#cluster(id)
    const key = forwarderKey(id, purpose)
    const forwarder =
      this.#forwarders.get(key) ?? Forwarder.open(this.#installation.ports, () => cluster.address)
    this.#forwarders.set(key, forwarder)
    return (await forwarder).address
  }

  async closeForwarder(id: string, purpose: 'pooler' | 'vpc'): Promise<void> {
    const key = forwarderKey(id, purpose)
    const forwarder = this.#forwarders.get(key)
    this.#forwarders.delete(key)
    await (await forwarder)?.close()
  }

  lastSnapshot(serviceId: string): Date | undefined {
    return this.#services.get(serviceId)?.lastSnapshot
  }

  async readLogs(serviceId: string): Promise<LogEntry[]> {
    return readLogFile(this.#cluster(serviceId).logFile)
  }

  async readFigures(serviceId: string): Promise<Figures> {
    return readFigures(this.#cluster(serviceId).adminAddress)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #create(
    id: string,
    password: string,
    reserved: Address | undefined,
    fill: (data: string) => Promise<InitialData>,
  ): Promise<Address> {
    this.#checkNew(id)
    const cluster = new Cluster(this.#installation, this.#nextFolder())
    if (reserved) cluster.usePort(reserved.port)
    const service = new Service(id, cluster, this.#gate, this.#schedule)
    this.#services.set(id, service)
    try {
      return await service.create(fill, password)
    } catch (error) {
      await this.deleteService(id)
      throw error
    }
  }

  async #close(): Promise<void> {
    const services = [...this.#services.values()]
    for (const service of services) service.pause()
    await Promise.all([...this.#forwarders.values()].map(async forwarder => (await forwarder).close()))
    await this.#installation.programs.close()
    await Promise.all(services.map(service => service.idle()))
    await removeInstallation(this.#installation)
  }

  #service(id: string): Service {
    if (this.#closing) throw new ClosedError('The emulator is closing.')
    const service = this.#services.get(id)
    if (!service) throw new UnknownIdError(`There is no service ${id}.`)
    return service
  }

  /** The cluster of a service or of a replica set. */
  #cluster(id: string): Cluster {
    const { cluster } = this.#replicaSets.get(id)?.replicaSet ?? this.#service(id)
    return cluster
  }

  #checkNew(id: string): void {
    if (this.#closing) throw new ClosedError('The emulator is closing.')
    if (this.#services.has(id) || this.#replicaSets.has(id)) throw new ClusterError(`The id ${id} is taken.`)
  }

  #nextFolder(): string {
    this.#folders++
    return `c${this.#folders}`
  }

  async #forgetReplicaSet(id: string): Promise<void> {
    this.#replicaSets.delete(id)
    await this.#closeForwarders(id)
  }

  async #closeForwarders(id: string): Promise<void> {
    await Promise.all([this.closeForwarder(id, 'pooler'), this.closeForwarder(id, 'vpc')])
  }
}

function forwarderKey(id: string, purpose: 'pooler' | 'vpc'): string {
  return `${purpose} ${id}`
}
