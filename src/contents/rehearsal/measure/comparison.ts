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
  /** By table id. */
  changes: Map<number, Change>
  /** The rows and bytes before the migration, by table id. */
  extents: Map<number, Extent>
}

/** An effect of a migration. The table of effects has a description for its kind. */
export interface Finding {
  /** The table, column, constraint or index. */
  object: string
  /** An additional fact for the sentence, such as a type or a table. */
  detail?: string
  /** Rows or values; undefined if the number is unknown. */
  count?: number | undefined
  isEstimate?: true
  /** Set for an effect without loss whose kind usually loses data. */
  isHarmless?: boolean
}
