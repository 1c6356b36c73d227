/** Creates and deletes the followers of a service, with their slots. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '../../data-plane.ts'
import type { StandbyRecord } from '../record.ts'
import type { Cluster } from '../server/cluster.ts'
import { HotStandby } from './hot-standby.ts'
import { readLogEnd } from './replay.ts'

/** Milliseconds to wait until slots can be dropped. Remaining slots are dropped together with the next one. */
const dropPatience = 5_000

/**
 * All followers of a service's database. Every method runs as one of the service's jobs, so never two at the same time.
 */
export class Replication {
  readonly #primary: Cluster
  readonly #newFolder: () => string
  readonly #standbys = new Set<HotStandby>()
  /** Replication slots of standbys that are gone. */
  readonly #staleSlots = new Set<string>()
  /** Whether slots of an earlier process may remain. */
  #isRestored = false

  /** `newFolder` names the folder of the next standby. */
  constructor(primary: Cluster, newFolder: () => string) {
    this.#primary = primary
    this.#newFolder = newFolder
  }

  /** Creates a standby for `add`. `onCrash` is called when it has ended unexpectedly. */
  newStandby(onCrash: (standby: HotStandby) => void, folder = this.#newFolder()): HotStandby {
    const standby = new HotStandby(this.#primary, folder)
    standby.cluster.onCrash = () => onCrash(standby)
    return standby
  }

  /** Starts a new standby; the service must run. */
  async add(standby: HotStandby): Promise<Address> {
    this.#standbys.add(standby)
    return standby.create()
  }

  /** Stops a standby and deletes its files. Drops its slot too; if the service is stopped, after its next start. */
  async remove(standby: HotStandby): Promise<void> {
    await standby.cluster.remove()
    this.#standbys.delete(standby)
    this.#staleSlots.add(standby.slot)
    await this.#dropStaleSlots()
  }

  /** Called when the service has just started: its standbys follow it, and unneeded slots are dropped. */
  async resume(): Promise<void> {
    for (const standby of this.#standbys) await standby.follow()
    if (this.#isRestored) await this.#findStaleSlots()
    await this.#dropStaleSlots()
  }

  /** Recreates every standby, because the data of the service has been replaced. */
  async recreate(): Promise<void> {
    for (const standby of this.#standbys) await standby.recreate()
  }

  /** Raises the limit of every standby. Call it before the service starts with this limit. */
  async raiseConnectionLimit(connections: number): Promise<void> {
    for (const standby of this.#standbys) await standby.raiseConnectionLimit(connections)
  }

  /** Lowers the limit of every standby. Call it after the service has started with this limit. */
  async lowerConnectionLimit(connections: number): Promise<void> {
    if (this.#standbys.size === 0) return
    const end = await this.#primary.asAdmin(readLogEnd)
    for (const standby of this.#standbys) await standby.lowerConnectionLimit(connections, end)
  }

  /** Continues with a standby of an earlier process, which does not run yet. */
  adopt(record: StandbyRecord, onCrash: (standby: HotStandby) => void): HotStandby {
    const standby = this.newStandby(onCrash, record.folder)
    standby.restore(record)
    this.#standbys.add(standby)
    return standby
  }

  /** Continues with the slots of an earlier process. */
  restore(staleSlots: readonly string[]): void {
    for (const slot of staleSlots) this.#staleSlots.add(slot)
    this.#isRestored = true
  }

  /** Slots to be dropped when the service runs. */
  get staleSlots(): string[] {
    return [...this.#staleSlots]
  }

  /** Stops every standby and deletes its files; slots disappear with the service. */
  async removeStandbys(): Promise<void> {
    for (const { cluster } of this.#standbys) await cluster.remove()
  }

  /**
   * Finds slots of standbys that were unfinished when the previous process was killed: they would keep the log forever.
   */
  async #findStaleSlots(): Promise<void> {
    const known = [...this.#standbys].map(({ slot }) => slot)
    const unknown = "slot_type = 'physical' AND NOT active AND slot_name <> ALL ($1)"
    const sql = `SELECT slot_name AS slot FROM pg_replication_slots WHERE ${unknown}`
    const { rows } = await this.#primary.asAdmin(client => client.query<{ slot: string }>(sql, [known]))
    for (const { slot } of rows) this.#staleSlots.add(slot)
    this.#isRestored = false
  }

  /** A slot can be dropped after the service has detected that its standby is gone. */
  async #dropStaleSlots(): Promise<void> {
    const stale = this.#staleSlots
    if (!this.#primary.address || stale.size === 0) return
    await this.#primary.asAdmin(async client => {
      for (const deadline = performance.now() + dropPatience; performance.now() < deadline; await sleep(10)) {
        const slots = `FROM pg_replication_slots WHERE slot_name = ANY($1)`
        await client.query(`SELECT pg_drop_replication_slot(slot_name) ${slots} AND NOT active`, [[...stale]])
        const { rowCount } = await client.query(`SELECT ${slots}`, [[...stale]])
        if (rowCount === 0) return stale.clear()
      }
    })
  }
}
