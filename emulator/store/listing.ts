import { isAtWork } from './advance.ts'
import type { State } from './state.ts'

/**
 * Remembers what was shown of the services while nothing changes. It is asked for again and again, and with hundreds of
 * services making the list of them takes longer than everything else.
 */
export class Listing {
  readonly #made = new Map<string, object>()
  #isAtRest = false

  /** To be called with each change that a call or a report makes. */
  forget(): void {
    this.#made.clear()
    this.#isAtRest = false
  }

  /** Whether time alone changes nothing: then there is nothing to advance either. */
  isAtRest({ services }: State): boolean {
    // With hundreds of services, looking at each of them is a good part of answering a request.
    this.#isAtRest ||= ![...services.values()].some(isAtWork)
    return this.#isAtRest
  }

  /** What was made before under this name, or something new where it may show something else by now. */
  give<Shown extends object>(state: State, name: string, make: () => Shown): Shown {
    // Work passes through its statuses by itself, as time goes by.
    if (!this.isAtRest(state)) return make()
    const made = (this.#made.get(name) as Shown | undefined) ?? make()
    this.#made.set(name, made)
    return made
  }
}
