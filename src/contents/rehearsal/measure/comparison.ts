/** The state of a database before and after a migration, from which effects are found. */
import type { Session } from '#postgres/session'
import type { Catalog, Extent } from './catalog.ts'
import type { Fingerprints } from './fingerprints.ts'
import type { Recorder } from './recorder.ts'
import type { Change } from './table-changes.ts'

export interface Comparison {
  session: Session
  before: Catalog
  after: Catalog
  recorder: Recorder
  fingerprints: Record<'before' | 'after', Fingerprints>
  /** By the id of the table. */
  changes: Map<number, Change>
  /** How much each table held before, by its id. */
  extents: Map<number, Extent>
}

/** One thing that a migration did to data, or left unfinished. Its kind says how it is described. */
export interface Finding {
  /** The table, column, constraint or index. */
  object: string
  /** What the sentence needs beyond the object, such as its type or its table. */
  detail?: string
  /** Rows or values; undefined if the number is not known. */
  count?: number | undefined
  isEstimate?: true
  /** Where this one loses no data although its kind does. */
  isHarmless?: boolean
}
