/** The pull requests of the simulated GitHub. */
import type { VirtualTime } from './virtual-time.ts'

export type State = 'open' | 'closed'

/** The facts about a pull request since some moment. */
export interface PullRequestFacts {
  state: State
  labels: string[]
  draft: boolean
  /** The paths that it changes; none by default. */
  files?: string[]
}

/** GitHub's pull requests: their real state, and the state that GitHub shows, which may lag. */
export class PullRequests {
  readonly #history = new Map<number, (PullRequestFacts & { at: number })[]>()
  readonly #time: VirtualTime
  readonly #lag: number

  constructor(time: VirtualTime, lag: number) {
    this.#time = time
    this.#lag = lag
  }

  /** Changes a pull request now; omitted facts stay. */
  set(number: number, given: State | Partial<PullRequestFacts>): void {
    const change = typeof given === 'string' ? { state: given } : given
    const history = this.#history.get(number) ?? []
    this.#history.set(number, history)
    const { at: _, ...before } = history.at(-1) ?? { state: 'open', labels: [], draft: false, at: 0 }
    const after: PullRequestFacts = { ...before, ...change }
    if (history.length > 0 && JSON.stringify(after) === JSON.stringify(before)) return
    // The first state has always held.
    history.push({ ...after, at: history.length === 0 ? Number.NEGATIVE_INFINITY : this.#time.now })
  }

  get numbers(): number[] {
    return [...this.#history.keys()]
  }

  /** A push or a comment. */
  touch(number: number): void {
    const history = this.#history.get(number)
    const last = history?.at(-1)
    if (last) history?.push({ ...last, at: this.#time.now })
  }

  /**
   * The state that GitHub shows now; undefined for an unknown number. `since`: when the state began. `updated`: the
   * last update. Both in milliseconds of virtual time.
   */
  shown(number: number): (PullRequestFacts & { since: number; updated: number | undefined }) | undefined {
    const seen = this.#history.get(number)?.filter(({ at }) => at <= this.#time.now - this.#lag) ?? []
    const last = seen.at(-1)
    if (last === undefined) return undefined
    const before = seen.findLastIndex(({ state }) => state !== last.state)
    const { at: since = 0 } = seen[before + 1] ?? last
    const { at: updated, ...facts } = last
    return { ...facts, since, updated }
  }

  closeAll(): void {
    for (const number of this.#history.keys()) this.set(number, 'closed')
  }

  /** The real state; undefined for an unknown number. */
  current(number: number): PullRequestFacts | undefined {
    return this.#history.get(number)?.at(-1)
  }

  /** When any fact last changed, in milliseconds of virtual time. */
  lastChange(number: number): { at: number } {
    return this.#history.get(number)?.at(-1) ?? { at: Number.NEGATIVE_INFINITY }
  }
}
