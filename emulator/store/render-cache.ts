/** Caches rendered services. */
import { isAnyAtWork } from './progress/advance.ts'
import type { State } from './state.ts'

/**
 * Caches the rendered services while nothing changes. Clients poll the list, and with hundreds of services,
 * rendering takes longer than all the rest.
 */
export class RenderCache {
  readonly #cache = new Map<string, object>()
  #isAtRest = false

  /** Called with each change by a call or a report. */
  forget(): void {
    this.#cache.clear()
    this.#isAtRest = false
  }

  /** Whether time alone changes nothing: then nothing has to be advanced either. */
  isAtRest(state: State): boolean {
    // With hundreds of services, checking each of them is a large part of answering a request.
    this.#isAtRest ||= !isAnyAtWork(state)
    return this.#isAtRest
  }

  /** The cached value with this name, or a newly rendered one if it may differ now. */
  read<Shown extends object>(state: State, name: string, render: () => Shown): Shown {
    // Work passes through its statuses with time alone.
    if (!this.isAtRest(state)) return render()
    const shown = (this.#cache.get(name) as Shown | undefined) ?? render()
    this.#cache.set(name, shown)
    return shown
  }
}
