/** The read replica sets of a service. */
import type { Sizes } from '../../data-plane.ts'
import type { ReplicaSetRecord } from '../record.ts'
import type { HotStandby } from './hot-standby.ts'
import type { Replication } from './replication.ts'

/** The read replica sets of a service: hot standbys with their own addresses, by id. */
export class ReplicaSets {
  readonly #replication: Replication
  readonly #all = new Map<string, HotStandby>()
  /** Called when the database of one has ended unexpectedly. */
  onCrash: (id: string) => void = () => {}

  constructor(replication: Replication) {
    this.#replication = replication
  }

  get all(): ReadonlyMap<string, HotStandby> {
    return this.#all
  }

  /** Reserves the id at once, before the job that creates the standby. */
  add(id: string, sizes: Sizes | undefined): HotStandby {
    const standby = this.#replication.newStandby(() => this.onCrash(id))
    standby.cluster.sizes = sizes
    this.#all.set(id, standby)
    return standby
  }

  /** Stops one and deletes its files, as one of the service's jobs. */
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
      const { id } = record
      this.#all.set(
        id,
        this.#replication.adopt(record, () => this.onCrash(id)),
      )
    }
  }
}
