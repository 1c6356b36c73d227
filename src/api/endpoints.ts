/** The contract: all endpoints of the API. */
import { account } from './account.ts'
import type { Endpoint } from './endpoint.ts'
import { logsAndMetrics } from './logs-and-metrics.ts'
import { replicaSets } from './replica-sets.ts'
import { services } from './services.ts'
import { vpcs } from './vpcs.ts'

/** The endpoints by their group in the reference. */
export const endpointGroups = {
  Services: services,
  'Read replica sets': replicaSets,
  'VPCs and peerings': vpcs,
  'Logs and metrics': logsAndMetrics,
  'Key, projects and analytics': account,
}

/** Every endpoint of docs/internals/api.md, "Endpoints", by the name of its operation. */
export const endpoints = {
  ...services,
  ...replicaSets,
  ...vpcs,
  ...logsAndMetrics,
  ...account,
} satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
