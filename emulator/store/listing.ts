import type { ServiceState, State } from './state.ts'

/**
 * Remembers the list of services while nothing changes. It is asked for again and again, and with hundreds of services
 * making it takes longer than everything else.
 */
export class Listing {
  #made: unknown[] | undefined

  /** To be called with each change that a call or a report makes. */
  forget(): void {
    this.#made = undefined
  }

  /** The list made before, or a new one where it may show something else by now. */
  give<Item>(state: State, make: () => Item[]): Item[] {
    // Work passes through its statuses by itself, as time goes by.
    if (!isAtRest(state)) return make()
    this.#made ??= make()
    return this.#made as Item[]
  }
}

function isAtRest({ services }: State): boolean {
  for (const service of services.values()) if (isAtWork(service)) return false
  return true
}

function isAtWork({ work, pooler, attachment, replicaSets }: ServiceState): boolean {
  if (work || pooler?.work || attachment?.work) return true
  for (const replicaSet of replicaSets.values()) if (replicaSet.work || replicaSet.pooler?.work) return true
  return false
}
