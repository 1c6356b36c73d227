import type { Effect } from '../store/effect.ts'
import type { State } from '../store/state.ts'

/** All that an emulator needs to go on where another one stopped. */
export interface Kept {
  state: State
  /** Effects that were not reported, oldest first: they are carried out again. */
  effects: Effect[]
  /** What the data plane said of itself; undefined without one. */
  databases: unknown
}

/** Keeps what the emulator knows beyond its end. */
export interface Memory {
  /** What was kept by the emulator before; undefined for the first one. */
  readonly kept: Kept | undefined
  /** Reads everything before it returns; resolves when it is safe. */
  keep(kept: Kept): Promise<void>
}
