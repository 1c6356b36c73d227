/** The data that the migrations of a preview lost, and the hashes by which a person approves the loss. */
import { hash } from 'node:crypto'
import type { MigrationRun } from './stored.ts'

/** Runs with a possible loss. A later run does not bring the data back. */
export const losingRuns = (runs: MigrationRun[]): MigrationRun[] =>
  runs.filter(({ rehearsal }) => rehearsal.destructive)

/**
 * The hash of the accumulated loss after each migration with a loss, in order. An approval applies to the last hash. Later losses
 * only append, so the hash in the comment is always in the list unless runs were deleted from the note.
 */
export function hashLosses(runs: MigrationRun[]): string[] {
  const hashes = [...new Set(losingRuns(runs).map(({ rehearsal }) => rehearsal.migrationHash))]
  return hashes.map((_, index) => hash('sha256', hashes.slice(0, index + 1).join()))
}

/** Whether a loss is approved, and the reason in one line; the next instruction if it is not. */
export interface Approval {
  isApproved: boolean
  message: string
  next?: string
}

/** The hash of the loss in the comment, and the preview on which the loss was measured. */
export interface ShownLoss {
  hash: string
  /** Undefined if an older release wrote the comment, or the database is not a preview. */
  serviceId?: string | undefined
}
