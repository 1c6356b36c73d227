import type { Address } from '../data-plane.ts'
import { Forwarder } from './forwarder.ts'
import type { Ports } from './ports.ts'
import type { ForwarderRecord } from './record.ts'

type Purpose = ForwarderRecord['purpose']

/** The second addresses of services and replica sets, at most one for each purpose. */
export class Forwarders {
  readonly #ports: Ports
  readonly #opening = new Map<string, Promise<Forwarder>>()
  readonly #open = new Map<string, ForwarderRecord>()

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** Opens one, unless it is open already. `preferred` is a port already taken for it. */
  async open(
    id: string,
    purpose: Purpose,
    target: () => Address | undefined,
    preferred?: number,
  ): Promise<Address> {
    const key = `${purpose} ${id}`
    const opening = this.#opening.get(key) ?? Forwarder.open(this.#ports, target, preferred)
    this.#opening.set(key, opening)
    const { address } = await opening
    if (this.#opening.get(key) === opening) this.#open.set(key, { id, purpose, address })
    return address
  }

  async close(id: string, purpose: Purpose): Promise<void> {
    const key = `${purpose} ${id}`
    const forwarder = this.#opening.get(key)
    this.#opening.delete(key)
    this.#open.delete(key)
    await (await forwarder)?.close()
  }

  /** Closes those of one service or replica set. */
  async closeOf(id: string): Promise<void> {
    await Promise.all([this.close(id, 'pooler'), this.close(id, 'vpc')])
  }

  /** Closes them all; they can still be described. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#opening.values()].map(async forwarder => (await forwarder).close()))
  }

  describe(): ForwarderRecord[] {
    return [...this.#open.values()]
  }
}
