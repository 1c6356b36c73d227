// Creates services and forks.

import type { Semaphore } from '#base/semaphore'
import type { Address, ForkPoint, NewDatabase } from '../data-plane.ts'
import { copyDataFolder } from './disk/copy-data-folder.ts'
import { copyAt } from './history/fork.ts'
import type { Installation } from './installation/installation.ts'
import type { Registry } from './registry.ts'
import type { InitialData } from './service.ts'

/** The parts of `Clusters` for creating services. */
export interface Maker {
  installation: Installation
  registry: Registry
  semaphore: Semaphore
  /** Deletes an incomplete service. */
  remove(id: string): Promise<void>
}

async function make(
  { registry, remove }: Maker,
  id: string,
  password: string,
  { reserved, sizes }: NewDatabase,
  fill: (data: string) => Promise<InitialData>,
): Promise<Address> {
  registry.checkNew(id)
  const service = registry.add(id)
  if (reserved) service.cluster.port = reserved.port
  service.cluster.sizes = sizes
  try {
    return await service.create(fill, password)
  } catch (error) {
    await remove(id)
    throw error
  }
}

/** Creates an empty service. */
export async function createService(
  maker: Maker,
  id: string,
  password: string,
  chosen: NewDatabase,
): Promise<Address> {
  const { template, programs } = maker.installation
  return make(maker, id, password, chosen, async data => {
    await maker.semaphore.run(() => copyDataFolder(programs.account, template.data, data))
    return { backup: template }
  })
}

/** Creates a service with the data of another one. */
export async function forkService(
  maker: Maker,
  id: string,
  parentId: string,
  point: ForkPoint,
  password: string,
  chosen: NewDatabase,
): Promise<Address> {
  const parent = maker.registry.service(parentId)
  return make(maker, id, password, chosen, async data => {
    const settings = await parent.runHeavy(() => copyAt(parent.history, point, data))
    return { settings }
  })
}
