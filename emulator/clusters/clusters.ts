/** The data plane: real PostgreSQL clusters. */
import { availableParallelism } from 'node:os'
import { Semaphore } from '#base/semaphore'
import {
  type Address,
  type DataPlane,
  type ForkPoint,
  type HaReplicas,
  type Incident,
  type LogEntry,
  type NewDatabase,
  type RestoredDatabase,
  reachable,
  type Sizes,
  type Statistics,
} from '../data-plane.ts'
import { type CreationParts, createService, forkService } from './create-service.ts'
import { ClusterError } from './errors.ts'
import { Forwarders } from './forwarding/forwarders.ts'
import type { SnapshotSchedule } from './history/history.ts'
import { type Installation, removeInstallation } from './installation/installation.ts'
import type { ClustersRecord } from './record.ts'
import { Registry } from './registry.ts'
import { restoreClusters } from './restore.ts'
import { changePassword } from './server/admin.ts'
import { readLogFile } from './server/log-file.ts'
import { readStatistics } from './server/statistics.ts'
import type { Service } from './service.ts'

/** The ids of a service and of its read replica sets. */
const idsOf = ({ id, replicaSets }: Service) => [id, ...replicaSets.all.keys()]

/** The data plane. Its methods reject with a `ClusterError` if the id is unknown or taken. */
export class Clusters implements DataPlane {
  readonly #installation: Installation
  readonly #registry: Registry
  readonly #forwarders: Forwarders
  readonly #creation: CreationParts
  /** The result of restoring each database that the previous process recorded as complete. */
  readonly restored = new Map<string, RestoredDatabase>()
  #onIncident: (incident: Incident) => void = () => {}
  #closing: Promise<void> | undefined

  constructor(installation: Installation, schedule: SnapshotSchedule) {
    this.#installation = installation
    const semaphore = new Semaphore(Math.max(2, availableParallelism()))
    this.#registry = new Registry(installation, semaphore, schedule)
    this.#registry.onIncident = incident => this.#report(incident)
    this.#forwarders = new Forwarders(installation)
    this.#forwarders.onIncident = incident => this.#report(incident)
    this.#creation = {
      installation,
      registry: this.#registry,
      semaphore,
      remove: id => this.deleteService(id),
    }
  }

  get certificate(): { pem: string; file: string } {
    const { certificate: pem, certificateFile: file } = this.#installation
    return { pem, file }
  }

  get about(): readonly string[] {
    return this.#installation.about
  }

  get poolers(): 'PgBouncer' | 'relay' {
    return this.#installation.pgbouncer === undefined ? 'relay' : 'PgBouncer'
  }

  /** Contains all files. */
  get folder(): string {
    return this.#installation.folder
  }

  async reserveAddress(): Promise<Address> {
    const { host, ports } = this.#installation
    return { host: reachable(host), port: await ports.take() }
  }

  releaseAddress({ port }: Address): void {
    this.#installation.ports.release(port)
  }

  async createService(serviceId: string, password: string, chosen: NewDatabase = {}): Promise<Address> {
    if (this.restored.has(serviceId)) return this.startService(serviceId)
    return createService(this.#creation, { ...chosen, id: serviceId, password })
  }

  async forkService(
    serviceId: string,
    parentServiceId: string,
    point: ForkPoint,
    password: string,
    chosen: NewDatabase = {},
  ): Promise<Address> {
    if (this.restored.has(serviceId)) return this.startService(serviceId)
    return forkService(this.#creation, { ...chosen, id: serviceId, password }, parentServiceId, point)
  }

  async startService(serviceId: string): Promise<Address> {
    return this.#change(serviceId, service => service.runHeavy(() => service.start()))
  }

  async stopService(serviceId: string): Promise<void> {
    return this.#change(serviceId, service => service.run(() => service.stop()))
  }

  async resizeService(serviceId: string, sizes: Sizes): Promise<Address | undefined> {
    return this.#change(serviceId, service => service.runHeavy(() => service.resize(sizes)))
  }

  async setStandbys(serviceId: string, counts: HaReplicas): Promise<void> {
    const service = this.#registry.service(serviceId)
    return service.runHeavy(() => service.setStandbys(counts))
  }

  async setPassword(serviceId: string, password: string): Promise<void> {
    return this.#change(serviceId, service =>
      service.run(() => changePassword(service.cluster.adminAddress, password)),
    )
  }

  async deleteService(serviceId: string): Promise<void> {
    const service = this.#registry.find(serviceId)
    if (!service) return
    await service.remove()
    // In this order, so that no forwarder is opened in between.
    this.#registry.forget(service)
    await Promise.all(idsOf(service).map(id => this.#forwarders.closeOf(id)))
  }

  async createReplicaSet(replicaSetId: string, serviceId: string, sizes?: Sizes): Promise<Address> {
    const service = this.#registry.service(serviceId)
    const restored = service.replicaSets.all.get(replicaSetId)?.cluster.address
    if (restored && this.restored.has(replicaSetId)) return restored
    this.#registry.checkNew(replicaSetId)
    return service.createReplicaSet(replicaSetId, sizes)
  }

  async resizeReplicaSet(replicaSetId: string, sizes: Sizes): Promise<Address | undefined> {
    const service = this.#registry.ownerOf(replicaSetId)
    if (!service) throw new ClusterError(`There is no read replica set ${replicaSetId}.`)
    const address = await service.resizeReplicaSet(replicaSetId, sizes)
    await this.#renew(replicaSetId)
    return address
  }

  async deleteReplicaSet(replicaSetId: string): Promise<void> {
    await this.#registry.ownerOf(replicaSetId)?.deleteReplicaSet(replicaSetId)
    await this.#forwarders.closeOf(replicaSetId)
  }

  async openForwarder(id: string, purpose: 'pooler' | 'vpc', port?: number): Promise<Address> {
    return this.#forwarders.open(id, purpose, this.#registry.cluster(id), port)
  }

  async closeForwarder(id: string, purpose: 'pooler' | 'vpc'): Promise<void> {
    await this.#forwarders.close(id, purpose)
  }

  lastSnapshot(serviceId: string): Date | undefined {
    return this.#registry.find(serviceId)?.history.lastSnapshot
  }

  async takeSnapshot(serviceId: string): Promise<void> {
    const service = this.#registry.service(serviceId)
    return service.runHeavy(() => service.takeSnapshot())
  }

  watch(listener: (incident: Incident) => void): void {
    this.#onIncident = listener
  }

  describe(): ClustersRecord {
    return { services: this.#registry.describe(), forwarders: this.#forwarders.describe() }
  }

  /** Restores the databases of another process from the folder. Call it once, before any other method. */
  async restore(record: ClustersRecord, idsToSkip: ReadonlySet<string>): Promise<void> {
    const restored = await restoreClusters(record, idsToSkip, {
      installation: this.#installation,
      registry: this.#registry,
      openForwarder: (id, purpose, port) => this.openForwarder(id, purpose, port),
    })
    for (const [id, outcome] of restored) this.restored.set(id, outcome)
  }

  async readLogs(serviceId: string, node = 0): Promise<LogEntry[]> {
    const standby = this.#registry.find(serviceId)?.standbys.all[node - 1]
    return readLogFile((standby?.cluster ?? this.#registry.cluster(serviceId)).logFile)
  }

  async readStatistics(serviceId: string): Promise<Statistics> {
    return readStatistics(this.#registry.cluster(serviceId).adminAddress)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  #report(incident: Incident): void {
    if (incident.kind === 'found' && !incident.purpose) void this.#renew(incident.id).catch(() => {})
    this.#onIncident(incident)
  }

  /** Changes or replaces the database of a service, then updates its poolers. */
  async #change<T>(id: string, change: (service: Service) => Promise<T>): Promise<T> {
    const result = await change(this.#registry.service(id))
    await this.#renew(id)
    return result
  }

  /** Updates the poolers of a service and of its replica sets, or those of one replica set. */
  async #renew(id: string): Promise<void> {
    const service = this.#registry.find(id)
    await this.#forwarders.renew(service ? idsOf(service) : [id])
  }

  async #close(): Promise<void> {
    const { services } = this.#registry
    this.#registry.isClosing = true
    for (const { history } of services) history.pause()
    await this.#forwarders.closeAll()
    await this.#installation.programs.close(this.#installation.isKept ? 'in order' : 'at once')
    await Promise.all(services.map(service => service.idle()))
    await removeInstallation(this.#installation)
  }
}
