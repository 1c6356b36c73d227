import { account } from './account.ts'
import type { Endpoint } from './endpoint.ts'
import { metrics } from './metrics.ts'
import { replicaSets } from './replica-sets.ts'
import { services } from './services.ts'
import { vpcs } from './vpcs.ts'

/** The contract: every endpoint of docs/api.md, "Endpoints", by the name of its operation. */
export const endpoints = { ...account, ...services, ...metrics, ...replicaSets, ...vpcs } satisfies Record<
  string,
  Endpoint
>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
