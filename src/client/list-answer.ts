// Reads lists of records: selects records, and handles malformed ones.

import type { Endpoint } from '#api/endpoint'
import { hasKnownField, itemSchemaOf } from '#api/known-fields'
import type { UnreadableAnswerError } from '#base/errors'

export type RecordFilter = (record: Record<string, unknown>) => boolean

const isRecord = (item: unknown): item is Record<string, unknown> => typeof item === 'object' && item !== null

/** Removes the records that the filter rejects. Items that are not records stay, so that reading them fails. */
export const keepOnly = (list: unknown[], only: RecordFilter): unknown[] =>
  list.filter(item => !isRecord(item) || only(item))

/** Returns the replacements of a malformed record in its list, or throws the problem. */
export type ReadMalformed = (entry: unknown, problem: UnreadableAnswerError) => unknown[]

/** A list with more malformed records fails, to save time. */
const mostMalformed = 100

/**
 * Reads a list entry by entry, so that a malformed one does not fail the others. Undefined if the value is
 * not a list of the API: none of its entries has any expected field.
 * @param problemOf returns the error for the field at a path
 */
export function readEntries(
  schema: NonNullable<Endpoint['response']>,
  parsed: unknown,
  problemOf: (path: string) => UnreadableAnswerError,
  readMalformed: ReadMalformed,
): unknown[] | undefined {
  const item = itemSchemaOf(schema)
  if (item === undefined || !Array.isArray(parsed)) return undefined
  if (parsed.length > 0 && !parsed.some(entry => hasKnownField(item, entry))) return undefined
  let malformed = 0
  return parsed.flatMap((entry, index) => {
    const read = item.safeParse(entry)
    if (read.success) return [read.data]
    const problem = problemOf([index, ...(read.error.issues[0]?.path ?? [])].join('.'))
    malformed += 1
    if (malformed > mostMalformed) throw problem
    return readMalformed(entry, problem)
  })
}
