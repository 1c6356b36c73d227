import { availableParallelism } from 'node:os'
import { Gate } from '../../src/client/gate.ts'
import {
  type Address,
  type DataPlane,
  type Figures,
  type ForkPoint,
  type Incident,
  type LogEntry,
  type Returned,
  reachable,
} from '../data-plane.ts'
import { changePassword } from './admin.ts'
import { Cluster } from './cluster.ts'
import { copyDataFolder } from './data-folder.ts'
import { ClosedError, ClusterError, describeError, UnknownIdError } from './errors.ts'
import { readFigures } from './figures.ts'
import { copyAt } from './fork.ts'
import { Forwarders } from './forwarders.ts'
import {
  type Installation,
  type InstallationOptions,
  openInstallation,
  removeInstallation,
} from './installation.ts'
import { readLogFile } from './log-file.ts'
import type { ClustersRecord, ReplicaSetRecord } from './record.ts'
import { ReplicaSet } from './replica-set.ts'
import { removeUnknown, restoreClusters } from './restore.ts'
import { type InitialData, Service, type SnapshotSchedule } from './service.ts'
import { Spare } from './spare.ts'

/** What `openClusters` can be told. */
export interface ClustersOptions extends Partial<SnapshotSchedule>, InstallationOptions {
  /** What the clusters of the folder before said of themselves: they are brought back. */
  record?: ClustersRecord | undefined
  /** Ids of services and replica sets that are to be deleted next, so need not be started. */
  leftOut?: ReadonlySet<string>
  /** Ports that callers were told of, for services that are to be made next. */
  promisedPorts?: readonly number[] | undefined
}

const defaultSchedule: SnapshotSchedule = { snapshotAfter: 1_000, snapshotEvery: 10 * 60_000 }

/**
 * Opens the data plane: real PostgreSQL clusters, all below one temporary folder, none of which outlives this
 * process. Rejects with a `ClusterError` that says what this machine lacks.
 */
export async function openClusters(options: ClustersOptions = {}): Promise<Clusters> {
  const { snapshotAfter, snapshotEvery } = { ...defaultSchedule, ...options }
  const installation = await openInstallation(options)
  for (const port of options.promisedPorts ?? []) installation.ports.reserve(port)
  const clusters = new Clusters(installation, { snapshotAfter, snapshotEvery })
  await clusters.restore(options.record ?? { services: [], forwarders: [] }, options.leftOut ?? new Set())
  return clusters
}

/** The data plane. The promises of its methods reject with a `ClusterError` when the id is unknown or taken. */
export class Clusters implements DataPlane {
  readonly #installation: Installation
  readonly #schedule: SnapshotSchedule
  readonly #gate = new Gate(Math.max(2, availableParallelism()))
  readonly #services = new Map<string, Service>()
  readonly #replicaSets = new Map<string, { service: Service; replicaSet: ReplicaSet }>()
  readonly #forwarders: Forwarders
  readonly #spare: Spare
  /** What became of the databases of the process before. */
  readonly returned = new Map<string, Returned>()
  #onIncident: (incident: Incident) => void = () => {}
  #folders = 0
  #closing: Promise<void> | undefined

  constructor(installation: Installation, schedule: SnapshotSchedule) {
    this.#installation = installation
    this.#forwarders = new Forwarders(installation.ports)
    this.#spare = new Spare(installation)
    this.#schedule = schedule
  }

  /** The self-signed certificate of every cluster, PEM. A client that trusts it can connect with `verify-full`. */
  get certificate(): string {
    return this.#installation.certificate
  }

  /** Everything on disk is below it. */
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

  async createService(serviceId: string, password: string, reserved?: Address): Promise<Address> {
    const { template, programs } = this.#installation
    if (this.#hasReturned(serviceId)) return this.startService(serviceId)
    try {
      return await this.#create(serviceId, password, reserved, async data => {
        if (!(await this.#spare.take(data))) {
          await this.#gate.run(() => copyDataFolder(programs.account, template.data, data))
        }
        return { backup: template }
      })
    } finally {
      // Not before: it would only take the processor from the service that somebody waits for.
      this.#spare.prepare()
    }
  }

  async forkService(
    serviceId: string,
    parentServiceId: string,
    point: ForkPoint,
    password: string,
    reserved?: Address,
  ): Promise<Address> {
    if (this.#hasReturned(serviceId)) return this.startService(serviceId)
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
    await this.#forwarders.closeOf(serviceId)
  }

  async createReplicaSet(replicaSetId: string, serviceId: string): Promise<Address> {
    const service = this.#service(serviceId)
    const returned = this.#replicaSets.get(replicaSetId)?.replicaSet.cluster.address
    if (returned && this.#hasReturned(replicaSetId)) return returned
    this.#checkNew(replicaSetId)
    const replicaSet = this.#addReplicaSet(replicaSetId, service, this.#nextFolder())
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

  async openForwarder(id: string, purpose: 'pooler' | 'vpc', port?: number): Promise<Address> {
    const cluster = this.#cluster(id)
    return this.#forwarders.open(id, purpose, () => cluster.address, port)
  }

  async closeForwarder(id: string, purpose: 'pooler' | 'vpc'): Promise<void> {
    await this.#forwarders.close(id, purpose)
  }

  lastSnapshot(serviceId: string): Date | undefined {
    return this.#services.get(serviceId)?.lastSnapshot
  }

  watch(listener: (incident: Incident) => void): void {
    this.#onIncident = listener
  }

  describe(): ClustersRecord {
    const services = [...this.#services.values()].flatMap(service => {
      const described = service.describe()
      return described ? [{ ...described, replicaSets: this.#describeReplicaSets(service) }] : []
    })
    return { services, forwarders: this.#forwarders.describe() }
  }

  /** Brings back what another process has left in the folder. To be called once, before anything else. */
  async restore(record: ClustersRecord, leftOut: ReadonlySet<string>): Promise<void> {
    const installation = this.#installation
    this.#folders = await removeUnknown(installation.folder, record)
    const returned = await restoreClusters(record, leftOut, {
      installation,
      addService: (id, folder) => this.#addService(id, folder),
      addReplicaSet: (id, service, folder) => this.#addReplicaSet(id, service, folder),
      openForwarder: (id, purpose, port) => this.openForwarder(id, purpose, port),
    })
    for (const [id, outcome] of returned) this.returned.set(id, outcome)
    this.#spare.prepare()
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
    const service = this.#addService(id, this.#nextFolder())
    if (reserved) service.cluster.usePort(reserved.port)
    try {
      return await service.create(fill, password)
    } catch (error) {
      await this.deleteService(id)
      throw error
    }
  }

  #addService(id: string, folder: string): Service {
    const cluster = new Cluster(this.#installation, folder)
    const service = new Service(id, cluster, this.#gate, this.#schedule)
    service.onIncident = incident => this.#onIncident(incident)
    this.#services.set(id, service)
    return service
  }

  #addReplicaSet(id: string, service: Service, folder: string): ReplicaSet {
    const replicaSet = new ReplicaSet(service.cluster, folder)
    replicaSet.cluster.onDeath = () => void service.run(() => this.#revive(id, replicaSet)).catch(() => {})
    this.#replicaSets.set(id, { service, replicaSet })
    return replicaSet
  }

  async #revive(id: string, replicaSet: ReplicaSet): Promise<void> {
    if (!this.#replicaSets.has(id)) return
    try {
      await replicaSet.revive()
      const { address } = replicaSet.cluster
      if (address) this.#onIncident({ kind: 'found', id, address })
    } catch (error) {
      if (!this.#closing) this.#onIncident({ kind: 'lost', id, problem: describeError(error) })
    }
  }

  /** Whether the process before had it whole. */
  #hasReturned(id: string): boolean {
    return this.returned.has(id)
  }

  async #close(): Promise<void> {
    const services = [...this.#services.values()]
    for (const service of services) service.pause()
    await Promise.all([this.#forwarders.closeAll(), this.#spare.close()])
    await this.#installation.programs.close(this.#installation.isKept ? 'in order' : 'at once')
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
    await this.#forwarders.closeOf(id)
  }

  #describeReplicaSets(service: Service): ReplicaSetRecord[] {
    return [...this.#replicaSets].flatMap(([id, entry]) => {
      const described = entry.service === service ? entry.replicaSet.describe(id) : undefined
      return described ? [described] : []
    })
  }
}
