import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '../data-plane.ts'
import { superuser } from './admin.ts'
import { takeBaseBackup } from './base-backup.ts'
import { Cluster } from './cluster.ts'
import { writeOwned } from './files.ts'
import type { Settings } from './server.ts'
import type { Service } from './service.ts'

/** What is not dropped by then is dropped when the next one goes. */
const dropPatience = 5_000

/** A hot standby of a service: the same data and users, read-only. Everything here is run in the service's turn. */
export class ReplicaSet {
  readonly service: Service
  readonly cluster: Cluster
  /** Keeps the log that the standby has not read yet (PostgreSQL docs, "Replication Slots"). */
  readonly #slot: string
  /** The primary's port that the standby was told. */
  #primaryPort: number | undefined

  /** `name` is that of its folder, and of its slot. */
  constructor(service: Service, name: string) {
    this.service = service
    this.cluster = new Cluster(service.cluster.installation, name)
    this.#slot = name
  }

  /** Copies the service, which must run, and starts to follow it. */
  async create(): Promise<Address> {
    const { cluster, service } = this
    service.replicaSets.add(this)
    await cluster.makeFolders()
    await service.cluster.asAdmin(client =>
      client.query('SELECT pg_create_physical_replication_slot($1, immediately_reserve => true)', [
        this.#slot,
      ]),
    )
    await takeBaseBackup(service.cluster, cluster.data)
    await writeOwned(cluster.account, path.join(cluster.data, 'standby.signal'), '')
    return this.#start()
  }

  /** Follows the service to the port it was started on. */
  async follow(): Promise<void> {
    const port = this.service.cluster.address?.port
    if (!port || port === this.#primaryPort) return
    await this.cluster.stop('fast')
    await this.#start()
  }

  /** Stops at once and removes every file, and its slot from the service: now, or when that runs again. */
  async remove(): Promise<void> {
    await this.cluster.remove()
    this.service.replicaSets.delete(this)
    this.service.staleSlots.add(this.#slot)
    await dropStaleSlots(this.service)
  }

  async #start(): Promise<Address> {
    return this.cluster.start(this.#settings())
  }

  #settings(): Settings {
    const { socketFolder, port, password } = this.service.cluster.adminAddress
    this.#primaryPort = port
    const place = process.platform === 'win32' ? { host: '127.0.0.1', password } : { host: socketFolder }
    const parts = Object.entries({ ...place, port: String(port), user: superuser })
    return {
      primary_conninfo: parts.map(([key, value]) => `${key}=${quoteConnection(value)}`).join(' '),
      primary_slot_name: this.#slot,
    }
  }
}

/** Makes the standbys follow a service that has just started, and drops the slots of those that are gone. */
export async function resumeReplication(service: Service): Promise<void> {
  for (const replicaSet of service.replicaSets) await replicaSet.follow()
  await dropStaleSlots(service)
}

/** A slot is free as soon as the service has noticed that its standby is gone. */
async function dropStaleSlots({ cluster, staleSlots }: Service): Promise<void> {
  if (!cluster.address || staleSlots.size === 0) return
  await cluster.asAdmin(async client => {
    for (const deadline = Date.now() + dropPatience; Date.now() < deadline; await sleep(10)) {
      const slots = `FROM pg_replication_slots WHERE slot_name = ANY($1)`
      await client.query(`SELECT pg_drop_replication_slot(slot_name) ${slots} AND NOT active`, [
        [...staleSlots],
      ])
      const { rowCount } = await client.query(`SELECT ${slots}`, [[...staleSlots]])
      if (rowCount === 0) return staleSlots.clear()
    }
  })
}

/** PostgreSQL docs, "Keyword/Value Connection Strings". */
function quoteConnection(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
