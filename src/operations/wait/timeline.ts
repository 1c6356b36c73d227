/** Adds the timeline of a step to its outcome and to a failure at the deadline. */
import { ActionError, RequestTimeoutError, TransportError } from '#base/errors'
import type { Waiting } from '../base/context.ts'
import type { Outcome } from '../base/outcome.ts'
import { UnreachableError } from './connect.ts'
import { WaitError } from './wait-error.ts'

/** Milliseconds. A wait may end this long before its deadline, when another attempt would start too late. */
const margin = 1000

const endings = [WaitError, UnreachableError, RequestTimeoutError, TransportError]

/** Whether the deadline may have caused a failure. */
function isEnding(failure: unknown): failure is ActionError {
  if (endings.some(kind => failure instanceof kind)) return true
  return failure instanceof ActionError && failure.cause !== undefined && isEnding(failure.cause)
}

/** Adds the timeline to a failure at the deadline. Idempotent. */
export function addTimeline({ timeline, seam, deadline }: Waiting, failure: unknown): void {
  if (!isEnding(failure) || seam.now() < deadline - margin) return
  const told = timeline.render()
  if (told !== undefined && !failure.message.includes(' have passed: ')) failure.message += `; ${told}`
}

/** Wraps an operation: its outcome has the timeline, and a failure at the deadline names the longest spans. */
export function withTimeline<Given, Needed extends Waiting>(
  run: (given: Given, context: Needed) => Promise<Outcome>,
) {
  return async (given: Given, context: Needed): Promise<Outcome> => {
    try {
      const outcome = await run(given, context)
      return { ...outcome, timeline: context.timeline.timeline }
    } catch (failure) {
      addTimeline(context, failure)
      throw failure
    }
  }
}
