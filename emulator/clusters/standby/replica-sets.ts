import type { Sizes } from '../../data-plane.ts'
import type { ReplicaSetRecord } from '../record.ts'
import type { Cluster } from '../server/cluster.ts'
import { HotStandby } from './hot-standby.ts'
import type { Replication } from './replication.ts'

/** The read replica sets of a service: hot standbys with addresses of their own, which live and end by their ids. */
export class ReplicaSets {
  readonly #primary: Cluster
  readonly #replication: Replication
  readonly #newFolder: () => string
  readonly #all = new Map<string, HotStandby>()
  /** Called when the database of one has ended unexpectedly. */
  onDeath: (id: string) => void = () => {}

  /** `newFolder` names the folder of the next one. */
  constructor(primary: Cluster, replication: Replication, newFolder: () => string) {
    this.#primary = primary
    this.#replication = replication
    this.#newFolder = newFolder
  }

  get all(): ReadonlyMap<string, HotStandby> {
    return this.#all
  }

  /** Takes the id at once, so that nothing else gets it before the job that makes the standby. */
  add(id: string, sizes: Sizes | undefined, folder = this.#newFolder()): HotStandby {
    const standby = new HotStandby(this.#primary, folder)
    standby.cluster.sizes = sizes
    standby.cluster.onDeath = () => this.onDeath(id)
    this.#all.set(id, standby)
    return standby
  }

  /** Stops one and removes its files, as one of the service's jobs. */
  async remove(id: string): Promise<void> {
    const standby = this.#all.get(id)
    if (standby) await this.#replication.remove(standby)
    this.#all.delete(id)
  }

  /** Describes those that are complete. */
  describe(): ReplicaSetRecord[] {
    return [...this.#all].flatMap(([id, standby]) => {
      const described = standby.describe()
      return described ? [{ id, ...described }] : []
    })
  }

  /** Continues with those of an earlier process, which do not run yet. */
  restore(records: readonly ReplicaSetRecord[]): void {
    for (const record of records) {
      const standby = this.add(record.id, record.sizes, record.folder)
      standby.restore(record)
      this.#replication.adopt(standby)
    }
  }
}
