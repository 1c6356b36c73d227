/** Finds services and replica sets by id. */
import type { Semaphore } from '#base/semaphore'
import type { Incident } from '../data-plane.ts'
import { ClosedError, ClusterError } from './errors.ts'
import type { SnapshotSchedule } from './history/history.ts'
import type { Installation } from './installation/installation.ts'
import type { ServiceRecord } from './record.ts'
import { Cluster } from './server/cluster.ts'
import { Service } from './service.ts'

/** The services and replica sets by id. */
export class Registry {
  readonly #installation: Installation
  readonly #semaphore: Semaphore
  readonly #schedule: SnapshotSchedule
  readonly #services = new Map<string, Service>()
  #folders = 0
  /** Once true, nothing is found and nothing can be added. */
  isClosing = false
  /** Called with the incidents of databases, such as an unexpected end, unless everything is being stopped. */
  onIncident: (incident: Incident) => void = () => {}

  constructor(installation: Installation, semaphore: Semaphore, schedule: SnapshotSchedule) {
    this.#installation = installation
    this.#semaphore = semaphore
    this.#schedule = schedule
  }

  get services(): Service[] {
    return [...this.#services.values()]
  }

  find(id: string): Service | undefined {
    return this.#services.get(id)
  }

  /** Throws if there is no service of that id. */
  service(id: string): Service {
    if (this.isClosing) throw new ClosedError('The emulator is closing.')
    const service = this.#services.get(id)
    if (!service) throw new ClusterError(`There is no service ${id}.`)
    return service
  }

  /** The service that a read replica set belongs to. */
  ownerOf(replicaSetId: string): Service | undefined {
    return this.services.find(({ replicaSets }) => replicaSets.all.has(replicaSetId))
  }

  /** The cluster of a service or of a replica set. */
  cluster(id: string): Cluster {
    return this.ownerOf(id)?.replicaSets.all.get(id)?.cluster ?? this.service(id).cluster
  }

  /** Throws if the id is taken. */
  checkNew(id: string): void {
    if (this.isClosing) throw new ClosedError('The emulator is closing.')
    if (this.#services.has(id) || this.ownerOf(id)) throw new ClusterError(`The id ${id} is taken.`)
  }

  /** Adds a service that is to be created or restored next. `folder` becomes its folder's name. */
  add(id: string, folder = this.nextFolder()): Service {
    const cluster = new Cluster(this.#installation, folder)
    const service = new Service(id, cluster, this.#semaphore, this.#schedule, () => this.nextFolder())
    service.onIncident = incident => this.#report(incident)
    this.#services.set(id, service)
    return service
  }

  /** Forgets a service with its replica sets. */
  forget({ id }: Service): void {
    this.#services.delete(id)
  }

  /** A name that no folder of a cluster has. */
  nextFolder(): string {
    this.#folders++
    return `c${this.#folders}`
  }

  /** Continues after this number of folders, which have names already. */
  skipFolders(count: number): void {
    this.#folders = count
  }

  /** Describes the services that are complete. */
  describe(): ServiceRecord[] {
    return this.services.flatMap(service => service.describe() ?? [])
  }

  #report(incident: Incident): void {
    if (!this.isClosing) this.onIncident(incident)
  }
}
