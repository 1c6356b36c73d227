import type { Effect } from '../store/effect.ts'
import type { State } from '../store/state.ts'

/** Everything that an emulator needs to continue where another one stopped. */
export interface Kept {
  state: State
  /** Effects that were not reported yet, oldest first: they are carried out again. */
  effects: Effect[]
  /** How the data plane described itself; undefined without one. */
  databases: unknown
}

/** Keeps what the emulator knows beyond its end. */
export interface Memory {
  /** What the previous emulator kept; undefined for the first one. */
  readonly kept: Kept | undefined
  /** Reads `kept` entirely before it returns; resolves when everything is safe. */
  keep(kept: Kept): Promise<void>
}
