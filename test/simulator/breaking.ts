import type { Break } from './breaks.ts'

/** One change of a file of the production code. */
export const change = (file: string, from: string, to: string) => ({ file: `src/${file}`, from, to })

export const broken = (promises: string[], ...edits: Break['edits']): Break => ({ promises, edits })
