import path from 'node:path'
import type { Address } from '../data-plane.ts'
import { superuser } from './admin.ts'
import { takeBaseBackup } from './base-backup.ts'
import { Cluster } from './cluster.ts'
import { writeOwned } from './files.ts'
import { endLeftover } from './leftover.ts'
import type { Settings } from './postgres-server.ts'
import type { ReplicaSetRecord } from './record.ts'
import { Revival } from './revival.ts'

/** A hot standby: the same data and users as its primary, read-only. */
export class ReplicaSet {
  readonly cluster: Cluster
  /** Makes the primary keep the log that the standby has not read yet (PostgreSQL docs, "Replication Slots"). */
  readonly slot: string
  readonly #primary: Cluster
  readonly #revival = new Revival()
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
    await cluster.makeFolders()
    await this.#primary.asAdmin(client =>
      client.query('SELECT pg_create_physical_replication_slot($1, immediately_reserve => true)', [slot]),
    )
    await takeBaseBackup(this.#primary, cluster.data)
    await writeOwned(cluster.account, path.join(cluster.data, 'standby.signal'), '')
    const address = await this.start()
    this.#isComplete = true
    return address
  }

  /** Starts the standby anew where its primary has come up on another port. */
  async follow(): Promise<void> {
    const port = this.#primary.address?.port
    if (!port || port === this.#primaryPort) return
    await this.cluster.stop('fast')
    await this.start()
  }

  /** Starts the standby, whether its primary runs now or later. */
  async start(): Promise<Address> {
    this.#primaryPort = this.#primary.port
    await endLeftover(this.cluster.data)
    return this.cluster.start(this.#settings())
  }

  /** Starts the standby again, which has ended by itself. */
  async revive(): Promise<void> {
    await this.#revival.attempt(() => this.start())
  }

  /** Undefined while it is not there yet. */
  describe(id: string): ReplicaSetRecord | undefined {
    const { cluster, slot } = this
    return this.#isComplete
      ? { id, folder: slot, port: cluster.port, primaryPort: this.#primaryPort }
      : undefined
  }

  /** Goes on with the standby of an earlier process. */
  restore({ primaryPort }: ReplicaSetRecord): void {
    this.#primaryPort = primaryPort
    this.#isComplete = true
  }

  #settings(): Settings {
    const { folder: socketFolder, installation, port } = this.#primary
    const password = installation.superuserPassword
    const place = process.platform === 'win32' ? { host: '127.0.0.1', password } : { host: socketFolder }
    const parts = Object.entries({ ...place, port: String(port), user: superuser })
    return {
      primary_conninfo: parts.map(([key, value]) => `${key}=${quoteConnection(value)}`).join(' '),
      primary_slot_name: this.slot,
    }
  }
}

/** PostgreSQL docs, "Keyword/Value Connection Strings". */
function quoteConnection(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
