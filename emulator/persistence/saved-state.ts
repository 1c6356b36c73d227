/** Renders and parses the state of an emulator. */
import type { Effect } from '../store/effect.ts'
import type { State } from '../store/state.ts'

/** Everything that an emulator needs to continue where another one stopped. */
export interface SavedState {
  state: State
  /** Unreported effects, oldest first: they run again. */
  effects: Effect[]
  /** The description of the data plane; undefined without one. */
  databases: unknown
}

/** Types that JSON lacks: each value is written as an object with one such key. */
const tags = { map: '$map', set: '$set', date: '$date' } as const

function mapInside(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]))
}

function encode(value: unknown): unknown {
  if (value instanceof Map) return { [tags.map]: [...value].map(encode) }
  if (value instanceof Set) return { [tags.set]: [...value].map(encode) }
  if (value instanceof Date) return { [tags.date]: value.getTime() }
  return mapInside(value, encode)
}

/** The state as text. */
export function renderSavedState(savedState: SavedState): string {
  return JSON.stringify(encode(savedState))
}

function decode(value: unknown): unknown {
  const inner = mapInside(value, decode)
  if (typeof inner !== 'object' || inner === null) return inner
  const [[key, content] = []] = Object.entries(inner)
  if (key === tags.map) return new Map(content)
  if (key === tags.set) return new Set(content)
  return key === tags.date ? new Date(content) : inner
}

/** The opposite of `renderSavedState`. Throws if the text is incomplete. */
export function parseSavedState(text: string): SavedState {
  // The cast is safe: only `renderSavedState` writes the text, and a file is always replaced as a whole.
  return decode(JSON.parse(text)) as SavedState
}
