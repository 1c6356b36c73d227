/** The table of all handlers. */
import type { Handlers } from '../handler.ts'
import { account } from './account.ts'
import { connections } from './connections.ts'
import { creation } from './creation.ts'
import { metricHandlers } from './metrics.ts'
import { replicaSets } from './replica-sets.ts'
import { services } from './services.ts'
import { vpcs } from './vpcs.ts'

/** One handler for each row of the contract. Add a missing one to the file of its kind. */
export const handlers: Handlers = {
  ...account,
  ...creation,
  ...services,
  ...connections,
  ...metricHandlers,
  ...replicaSets,
  ...vpcs,
}
