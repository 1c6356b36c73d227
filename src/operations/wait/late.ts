import { ActionError, RequestTimeoutError, TransportError } from '../../base/errors.ts'
import type { Context } from '../base/context.ts'
import type { Outcome } from '../base/outcome.ts'
import { UnreachableError } from './connect.ts'
import { withSignsOfLife } from './signs-of-life.ts'
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
export function tellParts({ parts, seam, deadline }: Context, failure: unknown): void {
  if (!isEnding(failure) || seam.now() < deadline - margin) return
  const told = parts.render()
  if (told !== undefined && !failure.message.includes(' have passed: ')) failure.message += `; ${told}`
}

/**
 * Wraps an operation: it is not silent for long, its outcome tells how the time went by, and when its time is over, the
 * failure says what used it up.
 */
export function withParts<Given, Needed extends Context>(
  run: (given: Given, context: Needed) => Promise<Outcome>,
) {
  return async (given: Given, context: Needed): Promise<Outcome> => {
    try {
      const outcome = await withSignsOfLife(context, heard => run(given, heard))
      return { ...outcome, course: context.parts.course }
    } catch (failure) {
      tellParts(context, failure)
      throw failure
    }
  }
}
