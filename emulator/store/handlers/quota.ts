/** Limits the numbers of services and databases. */
import type { HaReplicas } from '../../data-plane.ts'
import type { HandlerContext } from '../handler.ts'
import { conflict } from '../refusal.ts'
import type { ServiceState, State } from '../state.ts'

export const countStandbys = ({ replicaCount, syncReplicaCount }: HaReplicas) =>
  replicaCount + syncReplicaCount

function databasesOf({ haReplicas, work, replicaSets }: ServiceState): number {
  // During the change, either the old or the new standbys may exist.
  const next = work?.change.kind === 'set-ha' ? countStandbys(work.change.haReplicas) : 0
  return 1 + Math.max(countStandbys(haReplicas), next) + replicaSets.size
}

function countDatabases({ services }: State): number {
  return [...services.values()].reduce((sum, service) => sum + databasesOf(service), 0)
}

/** Rejects `more` databases if they exceed the limit. */
export function checkDatabaseLimit({ state, maxDatabases }: HandlerContext, more: number): void {
  const count = countDatabases(state)
  if (more <= 0 || count + more <= maxDatabases) return
  throw conflict(
    `limit reached: services, their standbys and read replica sets have ${count} databases, and the memory is enough ` +
      `for ${maxDatabases}; delete some, or set the number of services with --max-services`,
  )
}

/** Rejects one more service if it or its databases exceed a limit. */
export function checkServiceLimit(context: HandlerContext, standbys: number): void {
  const { state, maxServices } = context
  if (state.services.size >= maxServices) {
    throw conflict(
      `limit reached: the project has ${state.services.size} services, and may have ${maxServices}; ` +
        'delete some, or start the emulator with a higher --max-services',
    )
  }
  checkDatabaseLimit(context, 1 + standbys)
}
