/** Describes broken variants of production code. */
import { type PromiseName, promises } from './promises.ts'

/** Replaces a text of the source. The test of the simulator fails if the text is missing. */
interface Edit {
  file: string
  from: string
  to: string
}

/** A deliberate mistake in production code, and the promises that it breaks, the most informative one first. */
export interface Break {
  promises: string[]
  edits: Edit[]
}

export const change = (file: string, from: string, to: string) => ({ file: `src/${file}`, from, to })

/** Makes changes in one file. */
export const changeIn = (file: string) => (from: string, to: string) => change(file, from, to)

export const broken = (names: PromiseName[], ...edits: Break['edits']): Break => ({
  promises: names.map(name => promises[name]),
  edits,
})
