/** The standbys of a service with high availability. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { HaReplicas } from '../../data-plane.ts'
import { ClosedError } from '../errors.ts'
import type { StandbysRecord } from '../record.ts'
import type { Cluster } from '../server/cluster.ts'
import { takeOver } from './failover.ts'
import type { HotStandby } from './hot-standby.ts'
import type { Replication } from './replication.ts'

/** Milliseconds to wait until the primary reports its standbys as synchronous. After that, it continues by itself. */
const patience = 10_000

/**
 * The standbys of a service with high availability, the synchronous ones first. Every method runs as one of the
 * service's jobs; `onCrash` does not.
 */
export class Standbys {
  readonly #primary: Cluster
  readonly #replication: Replication
  #all: HotStandby[] = []
  #synchronous = 0
  /** Called when a standby has ended unexpectedly. */
  onCrash: (standby: HotStandby) => void = () => {}

  constructor(primary: Cluster, replication: Replication) {
    this.#primary = primary
    this.#replication = replication
  }

  get all(): readonly HotStandby[] {
    return this.#all
  }

  /** Creates and deletes standbys until the numbers are right; the service must run. */
  async change({ replicaCount, syncReplicaCount }: HaReplicas): Promise<void> {
    const count = replicaCount + syncReplicaCount
    // The primary must wait neither for a standby that is being deleted nor for one that does not exist yet.
    const surplus = this.#all.splice(count)
    await this.#setSynchronousCount(Math.min(syncReplicaCount, this.#all.length))
    for (const standby of surplus) await this.#replication.remove(standby)
    while (this.#all.length < count) await this.#add()
    await this.#setSynchronousCount(syncReplicaCount)
  }

  /** Starts the stopped standbys after their primary. A standby that cannot start is recreated. */
  async start(): Promise<void> {
    for (const standby of [...this.#all]) {
      if (standby.cluster.address) continue
      await standby.start().catch(error => this.#replace(standby, error))
    }
  }

  /** Called when a standby has ended unexpectedly. A standby that cannot start is recreated. */
  async revive(standby: HotStandby): Promise<void> {
    if (!this.#all.includes(standby) || !this.#primary.address) return
    await standby.revive().catch(error => this.#replace(standby, error))
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.map(({ cluster }) => cluster.stop('fast')))
  }

  /** Lets a standby replace the primary, which cannot start; false if there is none. */
  async takeOver(): Promise<boolean> {
    const standby = this.#all.find(({ cluster }) => cluster.address) ?? this.#all[0]
    if (!standby) return false
    const counts = { replicaCount: this.#all.length - this.#synchronous, syncReplicaCount: this.#synchronous }
    await takeOver(this.#primary, standby)
    this.#all = this.#all.filter(other => other !== standby)
    // The new primary has none of the old one's slots.
    await this.#replication.remove(standby)
    await this.#replication.recreate()
    await this.change(counts)
    return true
  }

  /** Gives the standbys the size of their primary. */
  async resize(): Promise<void> {
    const { sizes } = this.#primary
    if (sizes) for (const standby of this.#all) await standby.resize(sizes)
  }

  describe(): StandbysRecord {
    return {
      synchronous: this.#synchronous,
      all: this.#all.flatMap(standby => standby.describe() ?? []),
    }
  }

  /** Continues with the standbys of an earlier process, which do not run yet. */
  restore({ synchronous, all }: StandbysRecord): void {
    this.#synchronous = synchronous
    this.#all = all.map(record => this.#replication.adopt(record, standby => this.onCrash(standby)))
  }

  async #add(): Promise<void> {
    const standby = this.#replication.newStandby(died => this.onCrash(died))
    standby.cluster.sizes = this.#primary.sizes
    try {
      await this.#replication.add(standby)
    } catch (error) {
      await this.#replication.remove(standby)
      throw error
    }
    this.#all.push(standby)
  }

  async #replace(standby: HotStandby, failure: unknown): Promise<void> {
    if (failure instanceof ClosedError) throw failure
    const [count, synchronous] = [this.#all.length, this.#synchronous]
    this.#all = this.#all.filter(other => other !== standby)
    await this.#replication.remove(standby)
    await this.change({ replicaCount: count - synchronous, syncReplicaCount: synchronous })
  }

  /**
   * Sets the number of standbys that the primary's commits wait for. The file that ALTER SYSTEM writes stays with the
   * primary: no copy contains it.
   */
  async #setSynchronousCount(count: number): Promise<void> {
    const names = this.#all.slice(0, count).map(({ slot }) => slot)
    const value = count === 0 ? '' : `FIRST ${count} (${names.join(', ')})`
    this.#synchronous = count
    await this.#primary.asAdmin(async client => {
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${value}'`)
      await client.query('SELECT pg_reload_conf()')
      const countSql = "SELECT count(*)::int AS count FROM pg_stat_replication WHERE sync_state = 'sync'"
      for (const deadline = performance.now() + patience; performance.now() < deadline; await sleep(20)) {
        const { rows } = await client.query<{ count: number }>(countSql)
        if (rows[0]?.count === count) return
      }
    })
  }
}
