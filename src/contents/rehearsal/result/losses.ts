/** The data that the migrations of a preview lost, and the hashes by which a person approves that. */
import { createHash } from 'node:crypto'
import type { MigrationRun } from './stored.ts'

/** The runs that lost data, or may have. Running something else later does not bring the data back. */
export const losingRuns = (runs: MigrationRun[]): MigrationRun[] =>
  runs.filter(({ rehearsal }) => rehearsal.destructive)

/**
 * The hash of the loss after each migration that lost data, in order. An approval is for the last one. A later loss only adds
 * to the list, so a hash that the comment shows is always among these, unless somebody deleted runs.
 */
export function hashLosses(runs: MigrationRun[]): string[] {
  const hashes = [...new Set(losingRuns(runs).map(({ rehearsal }) => rehearsal.migrationHash))]
  return hashes.map((_, index) =>
    createHash('sha256')
      .update(hashes.slice(0, index + 1).join())
      .digest('hex'),
  )
}

/** The hash of a loss that the comment shows, and the preview that it was measured on. */
export interface ShownLoss {
  hash: string
  /** Undefined where an older release wrote it, or the database is not a preview. */
  serviceId?: string | undefined
}
