import type { DataPlane, Returned } from '../../data-plane.ts'
import type { Effect } from '../../store/effect.ts'
import type { Store } from '../../store/store.ts'
import type { EffectQueue } from './effect-queue.ts'

function* databases({ state }: Store) {
  for (const service of state.services.values()) {
    for (const { id, name, rest, work } of [service, ...service.replicaSets.values()]) {
      // It was broken before, or its files are removed already and only the record is still shown.
      const needsNone = rest === 'UNSTABLE' || rest === 'error' || work?.change.kind === 'delete'
      yield { id, name, needsNone }
    }
  }
}

/** Whether a remaining effect makes or deletes the database. */
function decides(left: readonly Effect[], id: string): boolean {
  return left.some(effect => {
    if (effect.kind === 'create-replica' || effect.kind === 'delete-replica')
      return effect.replicaSetId === id
    const kinds: Effect['kind'][] = ['create-service', 'fork-service', 'delete-service']
    return kinds.includes(effect.kind) && effect.serviceId === id
  })
}

function tell(store: Store, id: string, { address, pooler, vpc }: Returned): void {
  if (address) store.found(id, address)
  if (pooler) store.found(id, pooler, 'pooler')
  if (vpc) store.found(id, vpc, 'vpc')
}

/**
 * Tells the store what became of the databases of the previous process, and returns a line for each that could not be
 * brought back. `left` are the effects that are carried out next: the databases that they make or delete need not be
 * there.
 */
export function bringBack(
  store: Store,
  { returned = new Map() }: DataPlane,
  left: readonly Effect[],
  onProblem: (line: string) => void,
): void {
  for (const { id, name, needsNone } of databases(store)) {
    const outcome =
      returned.get(id) ?? (needsNone || decides(left, id) ? {} : { problem: 'its files are gone' })
    if (outcome.problem === undefined) {
      tell(store, id, outcome)
    } else {
      store.lost(id, outcome.problem)
      onProblem(`${name} (${id}) could not be brought back: ${outcome.problem}`)
    }
  }
}

/** Carries out the remaining effects, and listens to the incidents of the databases. */
export function carryOn(
  store: Store,
  dataPlane: DataPlane,
  effects: EffectQueue,
  left: readonly Effect[],
  onProblem: (line: string) => void,
  save: () => Promise<void>,
): void {
  for (const effect of left) void effects.add(effect)
  dataPlane.watch?.(incident => {
    if (incident.kind === 'found') store.found(incident.id, incident.address, incident.purpose)
    if (incident.kind === 'lost') {
      store.lost(incident.id, incident.problem)
      onProblem(`the database of ${incident.id} ended, and cannot be started again: ${incident.problem}`)
    }
    save().catch(error => onProblem(`the state could not be saved: ${error.message}`))
  })
}
