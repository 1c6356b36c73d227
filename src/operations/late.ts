import { ActionError, RequestTimeoutError, TransportError } from '../client/errors.ts'
import { UnreachableError } from './connect.ts'
import type { Context } from './context.ts'
import type { Outcome } from './outcome.ts'
import { Parts } from './parts.ts'
import { WaitError } from './settled.ts'

/** The last try may end a little before the deadline, as another one would come too late. Milliseconds. */
const margin = 1000

const endings = [WaitError, UnreachableError, RequestTimeoutError, TransportError]

/** Whether a failure may be that the time was over, or came of it. */
function isEnding(failure: unknown): boolean {
  if (endings.some(kind => failure instanceof kind)) return true
  return failure instanceof ActionError && failure.cause !== undefined && isEnding(failure.cause)
}

/** Adds to a failure at the deadline what the time was spent on; once, however often it is called. */
export function tellParts({ parts, seam, deadline }: Context, failure: unknown): void {
  if (parts === undefined || !isEnding(failure) || seam.now() < deadline - margin) return
  const error = failure as ActionError
  const told = parts.render()
  if (told !== undefined && !error.message.includes(' are over')) error.message += `; ${told}`
}

/** Lets an operation say, where its time is over, what used it up. */
export function withParts<Given, Needed extends Context>(
  run: (given: Given, context: Needed) => Promise<Outcome>,
) {
  return async (given: Given, outer: Needed): Promise<Outcome> => {
    const context = { ...outer, parts: new Parts(outer.seam) }
    try {
      return await run(given, context)
    } catch (failure) {
      tellParts(context, failure)
      throw failure
    }
  }
}
