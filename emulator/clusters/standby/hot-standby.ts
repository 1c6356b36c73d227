/** A hot standby of a service. */
import path from 'node:path'
import type { Address, Sizes } from '../../data-plane.ts'
import { writeOwned } from '../disk/files.ts'
import { CommandError } from '../errors.ts'
import { takeBaseBackup } from '../history/base-backup.ts'
import { superuser } from '../installation/access-rules.ts'
import type { Settings } from '../installation/settings.ts'
import type { StandbyRecord } from '../record.ts'
import { adminHost } from '../server/admin.ts'
import { Cluster } from '../server/cluster.ts'
import { stopLeftoverServer } from '../server/leftover-server.ts'
import { RestartPolicy } from '../server/restart-policy.ts'
import { connectionsFor } from '../server/size-settings.ts'
import { waitForReplay } from './replay.ts'

/**
 * The number of sessions that the primary allows, from the error of a standby that refused to start because
 * it allows fewer (xlogrecovery.c).
 */
function parseConnections(error: unknown): number {
  const log = error instanceof CommandError ? String(error.cause) : ''
  return Number(/max_connections = \d+ is a lower setting .* its value was (\d+)/.exec(log)?.[1] ?? 0)
}

/** PostgreSQL docs, "Keyword/Value Connection Strings". */
function quoteConnection(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** The same data and users as its primary, read-only (PostgreSQL docs, "Hot Standby"). */
export class HotStandby {
  readonly cluster: Cluster
  /** The replication slot: the primary keeps the log that the standby has not read yet (PostgreSQL docs, "Replication Slots"). */
  readonly slot: string
  readonly #primary: Cluster
  readonly #restartPolicy = new RestartPolicy()
  /** The primary's port as the standby knows it. */
  #primaryPort: number | undefined
  #isComplete = false

  /** `name` becomes the name of its folder and of its slot. */
  constructor(primary: Cluster, name: string) {
    this.cluster = new Cluster(primary.installation, name)
    this.slot = name
    this.#primary = primary
  }

  /** Copies the primary, which must run, and starts to follow it. */
  async create(): Promise<Address> {
    const { cluster, slot } = this
    cluster.leastConnections = connectionsFor(this.#primary.sizes)
    await cluster.createFolders()
    await this.#primary.asAdmin(async client => {
      // An emulator that was killed while creating a standby may have left a slot of this name.
      const leftoverSlot = 'FROM pg_replication_slots WHERE slot_name = $1 AND NOT active'
      await client.query(`SELECT pg_drop_replication_slot(slot_name) ${leftoverSlot}`, [slot])
      await client.query('SELECT pg_create_physical_replication_slot($1, immediately_reserve => true)', [
        slot,
      ])
    })
    await takeBaseBackup(this.#primary, cluster.data)
    await writeOwned(cluster.account, path.join(cluster.data, 'standby.signal'), '')
    const address = await this.start()
    this.#isComplete = true
    return address
  }

  /** Copies the primary again, because its data has been replaced. */
  async recreate(): Promise<Address> {
    await this.cluster.clear()
    return this.create()
  }

  /** Restarts the standby if its primary has another port. */
  async follow(): Promise<void> {
    const port = this.#primary.address?.port
    if (!port || port === this.#primaryPort) return
    await this.cluster.stop('fast')
    await this.start()
  }

  /** Starts the standby, whether its primary runs now or later. */
  async start(): Promise<Address> {
    this.#primaryPort = this.#primary.port
    const { cluster } = this
    if (cluster.address) return cluster.address
    await stopLeftoverServer(cluster.data)
    try {
      return await cluster.start(this.#settings())
    } catch (error) {
      const wanted = parseConnections(error)
      if (wanted <= cluster.leastConnections) throw error
      cluster.leastConnections = wanted
      return cluster.start(this.#settings())
    }
  }

  /** Restarts the standby with the settings of another size. */
  async resize(sizes: Sizes): Promise<Address | undefined> {
    this.cluster.sizes = sizes
    return this.cluster.restart(this.#settings())
  }

  /**
   * Ensures that the standby allows at least this many sessions. Must run before the primary allows them: a standby
   * stops when its primary allows more than itself (PostgreSQL docs, "Hot Standby", "Administrator's Overview").
   */
  async raiseConnectionLimit(connections: number): Promise<void> {
    const { cluster } = this
    if (connections <= cluster.leastConnections) return
    cluster.leastConnections = connections
    if (connections > connectionsFor(cluster.sizes)) await cluster.restart(this.#settings())
  }

  /** Lowers the limit of sessions for the next start, after the standby has replayed the log of its primary up to `end`. */
  async lowerConnectionLimit(connections: number, end: string): Promise<void> {
    const { cluster } = this
    if (connections >= cluster.leastConnections || !cluster.address) return
    if (await cluster.asAdmin(client => waitForReplay(client, end))) cluster.leastConnections = connections
  }

  /** Starts the standby again after an unexpected end. */
  async revive(): Promise<void> {
    await this.#restartPolicy.attempt(() => this.start())
  }

  /** Undefined while the standby is not complete yet. */
  describe(): StandbyRecord | undefined {
    const { cluster, slot } = this
    const { port, sizes, leastConnections } = cluster
    return this.#isComplete
      ? { folder: slot, port, sizes, primaryPort: this.#primaryPort, leastConnections }
      : undefined
  }

  /** Continues with the standby of an earlier process. */
  restore({ port, primaryPort, sizes, leastConnections }: StandbyRecord): void {
    if (port !== undefined) this.cluster.port = port
    this.#primaryPort = primaryPort
    this.cluster.sizes = sizes
    this.cluster.leastConnections = leastConnections
    this.#isComplete = true
  }

  #settings(): Settings {
    const { folder: socketFolder, installation, port } = this.#primary
    const parts = Object.entries({
      ...adminHost({ socketFolder, password: installation.superuserPassword }),
      ...{ port: String(port), user: superuser, application_name: this.slot },
    })
    return {
      primary_conninfo: parts.map(([key, value]) => `${key}=${quoteConnection(value)}`).join(' '),
      primary_slot_name: this.slot,
    }
  }
}
