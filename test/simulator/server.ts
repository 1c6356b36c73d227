/** The simulated server, at any moment of its past. */
import { Store, type StoreOptions } from '../../emulator/store/store.ts'

/** A deterministic change of the server: on a copy, with the same time and chance, it has the same result. */
interface Change {
  at: number
  act: (store: Store) => unknown
  draws: number[]
}

/** The API's server, now and at any earlier moment. */
export interface Server {
  store: Store
  /** Changes the server. `act` is repeated on copies later, so it must touch nothing else. */
  change<Result>(act: (store: Store) => Result): Result
  /** The server of `lag` milliseconds ago, to read only. */
  ago(lag: number): Store
}

export function createServer(options: StoreOptions): Server {
  const changes: Change[] = []
  const copies = new Map<number, (time: number) => Store>()
  /** The random numbers of the current change. */
  let draws: number[] = []
  const random = () => {
    const drawn = options.random()
    draws.push(drawn)
    return drawn
  }
  const store = new Store({ ...options, random })
  return {
    store,
    change(act) {
      draws = []
      const result = act(store)
      changes.push({ at: options.now(), act, draws })
      return result
    },
    ago(lag) {
      if (lag === 0) return store
      const copyAt = copies.get(lag) ?? copyServer(options, changes)
      copies.set(lag, copyAt)
      return copyAt(options.now() - lag)
    },
  }
}

/** A server of the past, on which all changes up to a time are repeated. */
function copyServer(options: StoreOptions, changes: readonly Change[]): (time: number) => Store {
  let now = options.now()
  let draws: number[] = []
  let done = 0
  const store = new Store({ ...options, now: () => now, random: () => draws.shift() ?? 0 })
  return time => {
    for (let change = changes[done]; change && change.at <= time; change = changes[++done]) {
      now = change.at
      draws = [...change.draws]
      change.act(store)
    }
    now = time
    return store
  }
}
