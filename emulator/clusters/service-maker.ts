import type { Gate } from '../../src/client/gate.ts'
import type { Address, ForkPoint, NewDatabase } from '../data-plane.ts'
import { copyDataFolder } from './disk/data-folder.ts'
import { copyAt } from './history/fork.ts'
import type { Installation } from './installation/installation.ts'
import type { Registry } from './registry.ts'
import type { InitialData } from './service.ts'

/** Makes services: empty ones, and forks of others. */
export class ServiceMaker {
  readonly #installation: Installation
  readonly #registry: Registry
  readonly #gate: Gate
  /** Removes what could not be made. */
  readonly #remove: (id: string) => Promise<void>

  constructor(
    installation: Installation,
    registry: Registry,
    gate: Gate,
    remove: (id: string) => Promise<void>,
  ) {
    this.#installation = installation
    this.#registry = registry
    this.#gate = gate
    this.#remove = remove
  }

  async create(id: string, password: string, chosen: NewDatabase): Promise<Address> {
    const { template, programs } = this.#installation
    return await this.#make(id, password, chosen, async data => {
      await this.#gate.run(() => copyDataFolder(programs.account, template.data, data))
      return { backup: template }
    })
  }

  async fork(
    id: string,
    parentId: string,
    point: ForkPoint,
    password: string,
    chosen: NewDatabase,
  ): Promise<Address> {
    const parent = this.#registry.service(parentId)
    return this.#make(id, password, chosen, async data => {
      const settings = await parent.runHeavy(() => copyAt(parent.history, point, data))
      return { settings }
    })
  }

  async #make(
    id: string,
    password: string,
    { reserved, sizes }: NewDatabase,
    fill: (data: string) => Promise<InitialData>,
  ): Promise<Address> {
    this.#registry.checkNew(id)
    const service = this.#registry.add(id)
    if (reserved) service.cluster.port = reserved.port
    service.cluster.sizes = sizes
    try {
      return await service.create(fill, password)
    } catch (error) {
      await this.#remove(id)
      throw error
    }
  }
}
