/** Recognizes the patterns and the repetition of measured values. */
import type { Column } from '../plan/catalog.ts'
import type { Measured } from './measure.ts'

type Values = Pick<Column, 'family' | 'length'> & { measured: Measured | undefined }

/** A column has a pattern if at least this share of its values matches. */
const leastShare = 0.6

/** Within JSON, a pattern matches a part of the value. */
const leastShareOfJson = 0.2

/**
 * The column is a choice if it has at most this many values, each in several rows. Fewer rows in all prove nothing, or fewer
 * `rowsOfBrief` where texts are short.
 */
const choiceLimits = { values: 20, rowsOfEach: 4, rows: 40, rowsOfBrief: 12 }

/** Columns with at most this many characters have no room for a sentence. */
const mostBrief = 12

/** People may have written values of at least this average length. */
export const leastWritten = 30

export function looks({ measured, family }: Values, ...patterns: string[]): boolean {
  const shares = Object.entries(measured?.shares ?? {}).filter(([pattern]) => patterns.includes(pattern))
  const least = family === 'json' ? leastShareOfJson : leastShare
  return shares.reduce((sum, [, share]) => sum + share, 0) >= least
}

export const isBrief = ({ length }: Values) => (length ?? mostBrief + 1) <= mostBrief

export function isRepeated(evidence: Values): boolean {
  const { measured } = evidence
  const { values, rowsOfEach, rows, rowsOfBrief } = choiceLimits
  if (measured === undefined || measured.count < (isBrief(evidence) ? rowsOfBrief : rows)) return false
  return measured.distinct <= Math.min(values, measured.count / rowsOfEach)
}
