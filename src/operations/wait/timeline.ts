/** The durations of a step, in its outcome and in a failure at the deadline. */
import { ActionError, RequestTimeoutError, TransportError } from '#base/errors'
import type { Waiting } from '../base/context.ts'
import type { Outcome } from '../base/outcome.ts'
import { UnreachableError } from './connect.ts'
import { WaitError } from './wait-error.ts'

/** Milliseconds. A wait may end this long before its deadline, when another try would come too late. */
const margin = 1000

const endings = [WaitError, UnreachableError, RequestTimeoutError, TransportError]

/** Whether a failure may have come from the deadline. */
function isEnding(failure: unknown): failure is ActionError {
  if (endings.some(kind => failure instanceof kind)) return true
  return failure instanceof ActionError && failure.cause !== undefined && isEnding(failure.cause)
}

/** Adds to a failure at the deadline what the time was spent on. Idempotent. */
export function tellParts({ parts, seam, deadline }: Waiting, failure: unknown): void {
  if (!isEnding(failure) || seam.now() < deadline - margin) return
  const told = parts.render()
  if (told !== undefined && !failure.message.includes(' have passed: ')) failure.message += `; ${told}`
}

/** Wraps an operation: its outcome holds the timeline, and a failure at the deadline names what used up the time. */
export function withTimeline<Given, Needed extends Waiting>(
  run: (given: Given, context: Needed) => Promise<Outcome>,
) {
  return async (given: Given, context: Needed): Promise<Outcome> => {
    try {
      const outcome = await run(given, context)
      return { ...outcome, course: context.parts.course }
    } catch (failure) {
      tellParts(context, failure)
      throw failure
    }
  }
}
