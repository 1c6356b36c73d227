import type { Address, Incident, Sizes } from '../data-plane.ts'
import { describeError, UnknownIdError } from './errors.ts'
import type { ReplicaSetRecord } from './record.ts'
import type { Cluster } from './server/cluster.ts'
import type { Service } from './service.ts'
import { ReplicaSet } from './standby/replica-set.ts'

interface Entry {
  service: Service
  replicaSet: ReplicaSet
}

/** The read replica sets of all services, by their ids. */
export class ReplicaSets {
  readonly #entries = new Map<string, Entry>()
  /** Called with the incidents of their databases, such as an unexpected end. */
  onIncident: (incident: Incident) => void = () => {}

  has(id: string): boolean {
    return this.#entries.has(id)
  }

  /** The standby of a replica set, if there is one of that id. */
  find(id: string): Cluster | undefined {
    return this.#entries.get(id)?.replicaSet.cluster
  }

  /** Adds one that is to be created or restored next. `folder` becomes its folder's name. */
  add(id: string, service: Service, folder: string): ReplicaSet {
    const replicaSet = new ReplicaSet(service.cluster, folder)
    replicaSet.cluster.onDeath = () => void service.run(() => this.#revive(id, replicaSet)).catch(() => {})
    this.#entries.set(id, { service, replicaSet })
    return replicaSet
  }

  /** Makes a standby of the service and starts it. */
  async create(id: string, service: Service, folder: string, sizes: Sizes | undefined): Promise<Address> {
    const replicaSet = this.add(id, service, folder)
    replicaSet.cluster.sizes = sizes
    return service
      .runHeavy(() => service.replication.add(replicaSet))
      .catch(async error => {
        await this.delete(id)
        throw error
      })
  }

  async resize(id: string, sizes: Sizes): Promise<Address | undefined> {
    const entry = this.#entries.get(id)
    if (!entry) throw new UnknownIdError(`There is no read replica set ${id}.`)
    return entry.service.runHeavy(() => entry.replicaSet.resize(sizes))
  }

  /** Stops a standby and removes its files, once earlier jobs of its service are done. */
  async delete(id: string): Promise<void> {
    const entry = this.#entries.get(id)
    if (!entry) return
    const { service, replicaSet } = entry
    await service.runAnyway(() => service.replication.remove(replicaSet))
    this.#entries.delete(id)
  }

  /** The ids of a service's replica sets. */
  idsOf(service: Service): string[] {
    return [...this.#entries].filter(([, entry]) => entry.service === service).map(([id]) => id)
  }

  /** Forgets the replica sets of a deleted service; returns their ids. */
  forget(service: Service): string[] {
    const ids = this.idsOf(service)
    for (const id of ids) this.#entries.delete(id)
    return ids
  }

  /** Describes the complete replica sets of a service. */
  describe(service: Service): ReplicaSetRecord[] {
    return [...this.#entries].flatMap(([id, entry]) => {
      const described = entry.service === service ? entry.replicaSet.describe(id) : undefined
      return described ? [described] : []
    })
  }

  async #revive(id: string, replicaSet: ReplicaSet): Promise<void> {
    if (!this.#entries.has(id)) return
    try {
      await replicaSet.revive()
      const { address } = replicaSet.cluster
      if (address) this.onIncident({ kind: 'found', id, address })
    } catch (error) {
      this.onIncident({ kind: 'lost', id, problem: describeError(error) })
    }
  }
}
