/** Creates services and forks. */
import type { Semaphore } from '#base/semaphore'
import type { Address, ForkPoint, NewDatabase } from '../data-plane.ts'
import { copyDataFolder } from './disk/copy-data-folder.ts'
import { copyAt } from './history/fork.ts'
import type { Installation } from './installation/installation.ts'
import type { Registry } from './registry.ts'
import type { InitialData } from './service.ts'

/** The parts of `Clusters` for creating services. */
export interface CreationParts {
  installation: Installation
  registry: Registry
  semaphore: Semaphore
  /** Deletes an incomplete service. */
  remove(id: string): Promise<void>
}

/** A new service. */
interface Requested extends NewDatabase {
  id: string
  password: string
}

async function create(
  { registry, remove }: CreationParts,
  { id, password, reserved, sizes }: Requested,
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
export async function createService(creation: CreationParts, requested: Requested): Promise<Address> {
  const { template, programs } = creation.installation
  return create(creation, requested, async data => {
    await creation.semaphore.run(() => copyDataFolder(programs.account, template.data, data))
    return { backup: template }
  })
}

/** Creates a service with the data of another one. */
export async function forkService(
  creation: CreationParts,
  requested: Requested,
  parentId: string,
  point: ForkPoint,
): Promise<Address> {
  const parent = creation.registry.service(parentId)
  return create(creation, requested, async data => ({
    settings: await parent.runHeavy(() => copyAt(parent.history, point, data)),
  }))
}
