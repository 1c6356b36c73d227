/** Publishes the known fields of a record when a step fails after its call. */
import type { Creating } from '../base/context.ts'
import type { Outcome } from '../base/outcome.ts'
import { WaitError } from './wait-error.ts'

/** The record of a failed wait, as last observed. */
function seenBy({ resource, ids, latest }: WaitError) {
  return { resource, ids, ...(latest !== undefined && { record: latest, result: latest }) }
}

/**
 * Runs the work after a call. If it fails, the outputs contain everything known so far, since later steps may need it.
 */
export async function withKnown<Result>(
  { journal, timeline }: Creating,
  outcome: Outcome,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (failure) {
    const seen = failure instanceof WaitError ? seenBy(failure) : {}
    // The deletion was requested, but not confirmed.
    journal.tell({ ...outcome, ...seen, deleted: false, timeline: timeline.timeline })
    throw failure
  }
}

/** Wraps an operation of several calls: if a wait fails, the outputs contain its last observed record. */
export function withLastSeen<Given, Needed extends Creating>(
  operation: string,
  run: (given: Given, context: Needed) => Promise<Outcome>,
) {
  return async (given: Given, context: Needed): Promise<Outcome> => {
    try {
      return await run(given, context)
    } catch (failure) {
      if (failure instanceof WaitError)
        context.journal.tell({ operation, ...seenBy(failure), timeline: context.timeline.timeline })
      throw failure
    }
  }
}
