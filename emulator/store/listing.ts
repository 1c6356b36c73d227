import { isAnyAtWork } from './progress/advance.ts'
import type { State } from './state.ts'

/**
 * Caches what was shown of the services while nothing changes. Clients poll the list, and with hundreds of services,
 * making it takes longer than everything else.
 */
export class Listing {
  readonly #made = new Map<string, object>()
  #isAtRest = false

  /** To be called with each change that a call or a report makes. */
  forget(): void {
    this.#made.clear()
    this.#isAtRest = false
  }

  /** Whether time alone changes nothing: then nothing has to be advanced either. */
  isAtRest(state: State): boolean {
    // With hundreds of services, looking at each of them is a good part of answering a request.
    this.#isAtRest ||= !isAnyAtWork(state)
    return this.#isAtRest
  }

  /** The cached value of this name, or a new one if it may differ by now. */
  give<Shown extends object>(state: State, name: string, make: () => Shown): Shown {
    // Work passes through its statuses by itself, as time goes by.
    if (!this.isAtRest(state)) return make()
    const made = (this.#made.get(name) as Shown | undefined) ?? make()
    this.#made.set(name, made)
    return made
  }
}
