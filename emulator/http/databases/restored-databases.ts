/** Reports restored databases to the store. */
import type { DataPlane, RestoredDatabase } from '../../data-plane.ts'
import type { Effect } from '../../store/effect.ts'
import type { Store } from '../../store/store.ts'
import type { EffectQueue } from './effect-queue.ts'

function* listDatabases({ state }: Store) {
  for (const service of state.services.values()) {
    for (const { id, name, rest, work } of [service, ...service.replicaSets.values()]) {
      // It was broken before, or its files are deleted already and only the record is left.
      const needsNoDatabase = rest === 'UNSTABLE' || rest === 'error' || work?.change.kind === 'delete'
      yield { id, name, needsNoDatabase }
    }
  }
}

/** Whether a remaining effect creates or deletes the database. */
function createsOrDeletes(pendingEffects: readonly Effect[], id: string): boolean {
  return pendingEffects.some(effect => {
    if (effect.kind === 'create-replica' || effect.kind === 'delete-replica')
      return effect.replicaSetId === id
    const kinds: Effect['kind'][] = ['create-service', 'fork-service', 'delete-service']
    return kinds.includes(effect.kind) && effect.serviceId === id
  })
}

function reportAddresses(store: Store, id: string, { address, pooler, vpc }: RestoredDatabase): void {
  if (address) store.found(id, address)
  if (pooler) store.found(id, pooler, 'pooler')
  if (vpc) store.found(id, vpc, 'vpc')
}

/**
 * Reports the restored databases of the previous process to the store, and returns a line for each failure.
 * `pendingEffects` are the effects that run next: the databases that they create or delete may be missing.
 */
export function reportRestored(
  store: Store,
  { restored }: DataPlane,
  pendingEffects: readonly Effect[],
  onProblem: (line: string) => void,
): void {
  for (const { id, name, needsNoDatabase } of listDatabases(store)) {
    const outcome =
      restored.get(id) ??
      (needsNoDatabase || createsOrDeletes(pendingEffects, id) ? {} : { problem: 'its files are gone' })
    if (outcome.problem === undefined) {
      reportAddresses(store, id, outcome)
    } else {
      store.lost(id, outcome.problem)
      onProblem(`${name} (${id}) could not be restored: ${outcome.problem}`)
    }
  }
}

/** Runs the remaining effects, and handles the incidents of the databases. */
export function resumeEffects(
  store: Store,
  dataPlane: DataPlane,
  effects: EffectQueue,
  pendingEffects: readonly Effect[],
  onProblem: (line: string) => void,
  save: () => Promise<void>,
): void {
  for (const effect of pendingEffects) void effects.add(effect)
  dataPlane.watch(incident => {
    if (incident.kind === 'found') store.found(incident.id, incident.address, incident.purpose)
    if (incident.kind === 'lost') {
      store.lost(incident.id, incident.problem)
      onProblem(`the database of ${incident.id} ended, and cannot be started again: ${incident.problem}`)
    }
    save().catch(error => onProblem(`the state could not be saved: ${error.message}`))
  })
}
