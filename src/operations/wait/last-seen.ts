/** Publishes what is known of a record when a step fails after its call. */
import type { Creating } from '../base/context.ts'
import type { Outcome } from '../base/outcome.ts'
import { WaitError } from './wait-error.ts'

/** What a wait that failed has seen of its record. */
function seenBy({ resource, ids, latest }: WaitError) {
  return { resource, ids, ...(latest !== undefined && { record: latest, result: latest }) }
}

/** Runs what follows a call. If that fails, the outputs hold what is known by then: later steps may need it. */
export async function withKnown<Result>(
  { journal, parts }: Creating,
  outcome: Outcome,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (failure) {
    const seen = failure instanceof WaitError ? seenBy(failure) : {}
    // Asked for, but not known to be gone.
    journal.tell({ ...outcome, ...seen, deleted: false, course: parts.course })
    throw failure
  }
}

/** Wraps an operation of several calls: if it fails with a wait, the outputs hold what that saw. */
export function withLastSeen<Given, Needed extends Creating>(
  operation: string,
  run: (given: Given, context: Needed) => Promise<Outcome>,
) {
  return async (given: Given, context: Needed): Promise<Outcome> => {
    try {
      return await run(given, context)
    } catch (failure) {
      if (failure instanceof WaitError)
        context.journal.tell({ operation, ...seenBy(failure), course: context.parts.course })
      throw failure
    }
  }
}
