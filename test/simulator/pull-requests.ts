import type { VirtualTime } from './virtual-time.ts'

export type State = 'open' | 'closed'

/** GitHub's pull requests: what they are, and what GitHub says of them, which may be behind. */
export class PullRequests {
  readonly #history = new Map<number, { state: State; at: number }[]>()
  readonly #time: VirtualTime
  readonly #lag: number

  constructor(time: VirtualTime, lag: number) {
    this.#time = time
    this.#lag = lag
  }

  set(number: number, state: State): void {
    const history = this.#history.get(number) ?? []
    this.#history.set(number, history)
    if (history.at(-1)?.state === state) return
    // What is there from the start has been there for long.
    history.push({ state, at: history.length === 0 ? Number.NEGATIVE_INFINITY : this.#time.now })
  }

  /** What GitHub says now; undefined where it knows none of that number. `since` in milliseconds of virtual time. */
  shown(number: number): { state: State; since: number } | undefined {
    const seen = this.#history.get(number)?.findLast(({ at }) => at <= this.#time.now - this.#lag)
    return seen && { state: seen.state, since: seen.at }
  }

  /** The numbers of those that GitHub says are open. */
  shownOpen(): number[] {
    return [...this.#history.keys()].filter(number => this.shown(number)?.state === 'open')
  }
}
