/** The simulated server, at any moment of its past. */
import { Store, type StoreOptions } from '../../emulator/store/store.ts'

/** A deterministic change of the server: on a copy, with the same time and chance, it has the same result. */
interface Change {
  at: number
  act: (store: Store) => unknown
  draws: number[]
}

/** The API's server, now and at any earlier moment. */
export class Server {
  readonly store: Store
  readonly #options: StoreOptions
  readonly #changes: Change[] = []
  readonly #copies = new Map<number, Copy>()
  /** The random numbers of the current change. */
  #draws: number[] = []

  constructor(options: StoreOptions) {
    this.#options = options
    const random = () => {
      const drawn = options.random()
      this.#draws.push(drawn)
      return drawn
    }
    this.store = new Store({ ...options, random })
  }

  /** Changes the server. `act` is repeated on copies later, so it must touch nothing else. */
  change<Result>(act: (store: Store) => Result): Result {
    this.#draws = []
    const result = act(this.store)
    this.#changes.push({ at: this.#options.now(), act, draws: this.#draws })
    return result
  }

  /** The server of `lag` milliseconds ago, to read only. */
  ago(lag: number): Store {
    if (lag === 0) return this.store
    const copy = this.#copies.get(lag) ?? new Copy(this.#options)
    this.#copies.set(lag, copy)
    return copy.at(this.#options.now() - lag, this.#changes)
  }
}

/** A server of the past, on which all changes up to that time are repeated. */
class Copy {
  readonly #store: Store
  #time: number
  #draws: number[] = []
  #done = 0

  constructor(options: StoreOptions) {
    this.#time = options.now()
    this.#store = new Store({ ...options, now: () => this.#time, random: () => this.#draws.shift() ?? 0 })
  }

  at(time: number, changes: readonly Change[]): Store {
    for (let change = changes[this.#done]; change && change.at <= time; change = changes[++this.#done]) {
      this.#time = change.at
      this.#draws = [...change.draws]
      change.act(this.#store)
    }
    this.#time = time
    return this.#store
  }
}
