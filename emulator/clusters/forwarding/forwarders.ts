/** The second addresses of databases: poolers and VPCs. */
import type { Address, Incident } from '../../data-plane.ts'
import type { Installation } from '../installation/installation.ts'
import type { ForwarderRecord } from '../record.ts'
import type { Cluster } from '../server/cluster.ts'
import { Forwarder } from './forwarder.ts'
import { Pooler } from './pooler.ts'

type Purpose = ForwarderRecord['purpose']

/** A second address of a database, and its server. */
interface SecondAddress {
  readonly address: Address
  close(): Promise<void>
  /** Called when the database has started or stopped, or its owner's password has changed. */
  renew?(): Promise<void>
}

/** The second addresses of services and replica sets, at most one for each purpose. */
export class Forwarders {
  readonly #installation: Installation
  readonly #opening = new Map<string, Promise<SecondAddress>>()
  readonly #open = new Map<string, { id: string; purpose: Purpose; second: SecondAddress }>()

  /** Called with the incidents of poolers, such as an unexpected end. */
  onIncident: (incident: Incident) => void = () => {}

  constructor(installation: Installation) {
    this.#installation = installation
  }

  /** Opens one, unless it is open already. `preferred` is a port already reserved for it. */
  async open(id: string, purpose: Purpose, cluster: Cluster, preferred?: number): Promise<Address> {
    const key = `${purpose} ${id}`
    const opening = this.#opening.get(key) ?? this.#create(id, purpose, cluster, preferred)
    this.#opening.set(key, opening)
    try {
      const second = await opening
      if (this.#opening.get(key) === opening) this.#open.set(key, { id, purpose, second })
      return second.address
    } catch (error) {
      if (this.#opening.get(key) === opening) this.#opening.delete(key)
      throw error
    }
  }

  /** A pooler is PgBouncer if there is one. */
  async #create(
    id: string,
    purpose: Purpose,
    cluster: Cluster,
    preferred: number | undefined,
  ): Promise<SecondAddress> {
    const { pgbouncer, ports } = this.#installation
    if (purpose === 'vpc' || pgbouncer === undefined) {
      return Forwarder.open(ports, () => cluster.address, preferred)
    }
    const pooler = await Pooler.open(this.#installation, pgbouncer, cluster, preferred)
    pooler.onMove = address => this.onIncident({ kind: 'found', id, address, purpose })
    pooler.onLoss = problem => this.onIncident({ kind: 'lost', id, problem })
    return pooler
  }

  async close(id: string, purpose: Purpose): Promise<void> {
    const key = `${purpose} ${id}`
    const opening = this.#opening.get(key)
    this.#opening.delete(key)
    this.#open.delete(key)
    await (await opening?.catch(() => undefined))?.close()
  }

  /** Closes the second addresses of one service or replica set. */
  async closeOf(id: string): Promise<void> {
    await Promise.all([this.close(id, 'pooler'), this.close(id, 'vpc')])
  }

  /** Notifies the second addresses of these services and replica sets that their databases have changed. */
  async renew(ids: readonly string[]): Promise<void> {
    const all = [...this.#open.values()].filter(({ id }) => ids.includes(id))
    await Promise.all(all.map(({ second }) => second.renew?.()))
  }

  /** Closes all second addresses; they can still be described. */
  async closeAll(): Promise<void> {
    const all = await Promise.allSettled(this.#opening.values())
    await Promise.all(all.map(result => (result.status === 'fulfilled' ? result.value.close() : undefined)))
  }

  describe(): ForwarderRecord[] {
    return [...this.#open.values()].map(({ id, purpose, second: { address } }) => ({ id, purpose, address }))
  }
}
