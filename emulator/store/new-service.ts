import type { Context } from './context.ts'
import { write } from './journal.ts'
import { conflict } from './refusal.ts'
import type { HaReplicas, ServiceState, Sizes } from './state.ts'

/** What tells a new service from another one. */
export interface NewService {
  id: string
  name: string
  regionCode: string
  type: ServiceState['type']
  environment: string
  sizes: Sizes
  haReplicas: HaReplicas
  forkedFrom: string | undefined
}

/** Adds a service on which no work has begun yet. Refuses one too many. */
export function addService(context: Context, fields: NewService): ServiceState {
  const service: ServiceState = {
    ...fields,
    created: context.now,
    rest: 'QUEUED',
    work: undefined,
    readyAt: undefined,
    address: undefined,
    pooler: undefined,
    attachment: undefined,
    replicaSets: new Map(),
    log: [],
  }
  context.state.services.set(service.id, service)
  write(service, context.now, `service ${service.id} is QUEUED`)
  return service
}

/** Refuses one service too many. */
export function checkServiceLimit({ state, maxServices }: Context): void {
  if (state.services.size >= maxServices) {
    throw conflict(`limit reached: the project already has ${state.services.size} services`)
  }
}
