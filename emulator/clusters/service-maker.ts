import type { Gate } from '../../src/client/gate.ts'
import type { Address, ForkPoint, NewDatabase } from '../data-plane.ts'
import { copyDataFolder } from './data-folder.ts'
import { copyAt } from './fork.ts'
import type { Installation } from './installation.ts'
import type { Registry } from './registry.ts'
import type { InitialData } from './service.ts'
import { Spare } from './spare.ts'

/** Makes services: empty ones, and forks of others. */
export class ServiceMaker {
  readonly #installation: Installation
  readonly #registry: Registry
  readonly #gate: Gate
  readonly spare: Spare
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
    this.spare = new Spare(installation)
  }

  async create(id: string, password: string, chosen: NewDatabase): Promise<Address> {
    const { template, programs } = this.#installation
    try {
      return await this.#make(id, password, chosen, async data => {
        if (!(await this.spare.take(data))) {
          await this.#gate.run(() => copyDataFolder(programs.account, template.data, data))
        }
        return { backup: template }
      })
    } finally {
      // Not before: it would only take the processor from the service that somebody waits for.
      this.spare.prepare()
    }
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
      const settings = await parent.runHeavy(() => copyAt(parent, point, data))
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
    if (reserved) service.cluster.usePort(reserved.port)
    service.cluster.sizes = sizes
    try {
      return await service.create(fill, password)
    } catch (error) {
      await this.#remove(id)
      throw error
    }
  }
}
