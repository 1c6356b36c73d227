import { availableParallelism } from 'node:os'
import { Gate } from '../../src/client/gate.ts'
import {
  type Address,
  type DataPlane,
  type Figures,
  type ForkPoint,
  type HaReplicas,
  type Incident,
  type LogEntry,
  type NewDatabase,
  type Returned,
  reachable,
  type Sizes,
} from '../data-plane.ts'
import { changePassword } from './admin.ts'
import { Cluster } from './cluster.ts'
import { copyDataFolder } from './data-folder.ts'
import { ClosedError, ClusterError, UnknownIdError } from './errors.ts'
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
import type { ClustersRecord } from './record.ts'
import { ReplicaSets } from './replica-sets.ts'
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
  readonly #replicaSets = new ReplicaSets()
  readonly #forwarders: Forwarders
  readonly #spare: Spare
  /** What became of the databases of the process before. */
  readonly returned = new Map<string, Returned>()
  #onIncident: (incident: Incident) => void = () => {}
  #folders = 0
  #closing: Promise<void> | undefined

  constructor(installation: Installation, schedule: SnapshotSchedule) {
    this.#installation = installation
    this.#forwarders = new Forwarders(installation)
    this.#forwarders.onIncident = incident => this.#report(incident)
    this.#spare = new Spare(installation)
    this.#schedule = schedule
    this.#replicaSets.onIncident = incident => this.#report(incident)
  }

  /** The self-signed certificate of every cluster, PEM. A client that trusts it can connect with `verify-full`. */
  get certificate(): string {
    return this.#installation.certificate
  }

  get poolers(): 'PgBouncer' | 'relay' {
    return this.#installation.pgbouncer === undefined ? 'relay' : 'PgBouncer'
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

  async createService(serviceId: string, password: string, chosen: NewDatabase = {}): Promise<Address> {
    const { template, programs } = this.#installation
    if (this.#hasReturned(serviceId)) return this.startService(serviceId)
    try {
      return await this.#create(serviceId, password, chosen, async data => {
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
    chosen: NewDatabase = {},
  ): Promise<Address> {
    if (this.#hasReturned(serviceId)) return this.startService(serviceId)
    const parent = this.#service(parentServiceId)
    return this.#create(serviceId, password, chosen, async data => {
      const settings = await parent.runHeavy(() => copyAt(parent, point, data))
      return { settings }
    })
  }

  async startService(serviceId: string): Promise<Address> {
    const service = this.#service(serviceId)
    return this.#andRenew(service, () => service.runHeavy(() => service.start()))
  }

  async stopService(serviceId: string): Promise<void> {
    const service = this.#service(serviceId)
    return this.#andRenew(service, () => service.run(() => service.stop()))
  }

  async resizeService(serviceId: string, sizes: Sizes): Promise<Address | undefined> {
    const service = this.#service(serviceId)
    return this.#andRenew(service, () => service.runHeavy(() => service.resize(sizes)))
  }

  async setStandbys(serviceId: string, counts: HaReplicas): Promise<void> {
    const service = this.#service(serviceId)
    return service.runHeavy(() => service.setStandbys(counts))
  }

  async setPassword(serviceId: string, password: string): Promise<void> {
    const service = this.#service(serviceId)
    const change = () => changePassword(service.cluster.adminAddress, password)
    return this.#andRenew(service, () => service.run(change))
  }

  async deleteService(serviceId: string): Promise<void> {
    const service = this.#services.get(serviceId)
    if (!service) return
    await service.remove()
    // In this order, so that no forwarder is opened in between.
    const ids = [serviceId, ...this.#replicaSets.forget(service)]
    this.#services.delete(serviceId)
    await Promise.all(ids.map(id => this.#forwarders.closeOf(id)))
  }

  async createReplicaSet(replicaSetId: string, serviceId: string, sizes?: Sizes): Promise<Address> {
    const service = this.#service(serviceId)
    const returned = this.#replicaSets.find(replicaSetId)?.address
    if (returned && this.#hasReturned(replicaSetId)) return returned
    this.#checkNew(replicaSetId)
    return this.#replicaSets.create(replicaSetId, service, this.#nextFolder(), sizes)
  }

  async resizeReplicaSet(replicaSetId: string, sizes: Sizes): Promise<Address | undefined> {
    const address = await this.#replicaSets.resize(replicaSetId, sizes)
    await this.#renew(replicaSetId)
    return address
  }

  async deleteReplicaSet(replicaSetId: string): Promise<void> {
    await this.#replicaSets.delete(replicaSetId)
    await this.#forwarders.closeOf(replicaSetId)
  }

  async openForwarder(id: string, purpose: 'pooler' | 'vpc', port?: number): Promise<Address> {
    const cluster = this.#cluster(id)
    return this.#forwarders.open(id, purpose, () => cluster, port)
  }

  async closeForwarder(id: string, purpose: 'pooler' | 'vpc'): Promise<void> {
    await this.#forwarders.close(id, purpose)
  }

  lastSnapshot(serviceId: string): Date | undefined {
    return this.#services.get(serviceId)?.lastSnapshot
  }

  async takeSnapshot(serviceId: string): Promise<void> {
    const service = this.#service(serviceId)
    return service.runHeavy(() => service.takeSnapshot())
  }

  watch(listener: (incident: Incident) => void): void {
    this.#onIncident = listener
  }

  describe(): ClustersRecord {
    const services = [...this.#services.values()].flatMap(service => {
      const described = service.describe()
      return described ? [{ ...described, replicaSets: this.#replicaSets.describe(service) }] : []
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
      addReplicaSet: (id, service, folder) => this.#replicaSets.add(id, service, folder),
      openForwarder: (id, purpose, port) => this.openForwarder(id, purpose, port),
    })
    for (const [id, outcome] of returned) this.returned.set(id, outcome)
    this.#spare.prepare()
  }

  async readLogs(serviceId: string, node = 0): Promise<LogEntry[]> {
    const standby = this.#services.get(serviceId)?.standbys.all[node - 1]
    return readLogFile((standby?.cluster ?? this.#cluster(serviceId)).logFile)
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
    { reserved, sizes }: NewDatabase,
    fill: (data: string) => Promise<InitialData>,
  ): Promise<Address> {
    this.#checkNew(id)
    const service = this.#addService(id, this.#nextFolder())
    if (reserved) service.cluster.usePort(reserved.port)
    service.cluster.sizes = sizes
    try {
      return await service.create(fill, password)
    } catch (error) {
      await this.deleteService(id)
      throw error
    }
  }

  #addService(id: string, folder: string): Service {
    const cluster = new Cluster(this.#installation, folder)
    const service = new Service(id, cluster, this.#gate, this.#schedule, () => this.#nextFolder())
    service.onIncident = incident => this.#report(incident)
    this.#services.set(id, service)
    return service
  }

  /** While everything is being stopped, nothing is news. */
  #report(incident: Incident): void {
    if (this.#closing) return
    if (incident.kind === 'found' && !incident.purpose) void this.#renew(incident.id).catch(() => {})
    this.#onIncident(incident)
  }

  /** Does something after which the database of a service is not as it was; its poolers learn of it. */
  async #andRenew<T>(service: Service, job: () => Promise<T>): Promise<T> {
    const result = await job()
    await this.#renew(service.id)
    return result
  }

  /** Tells the poolers of a service, with those of its replica sets, or of one replica set. */
  async #renew(id: string): Promise<void> {
    const service = this.#services.get(id)
    await this.#forwarders.renew([id, ...(service ? this.#replicaSets.idsOf(service) : [])])
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
    return this.#replicaSets.find(id) ?? this.#service(id).cluster
  }

  #checkNew(id: string): void {
    if (this.#closing) throw new ClosedError('The emulator is closing.')
    if (this.#services.has(id) || this.#replicaSets.has(id)) throw new ClusterError(`The id ${id} is taken.`)
  }

  #nextFolder(): string {
    this.#folders++
    return `c${this.#folders}`
  }
}
