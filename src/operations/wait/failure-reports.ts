/** Adds known facts to a failed operation: its last observed record, the log of the service, the timeline. */
import type { Answer } from '#api/endpoint'
import type { Endpoints } from '#api/endpoints'
import { ActionError, RequestTimeoutError, TransportError } from '#base/errors'
import type { Calls, Creating, Waiting } from '../base/context.ts'
import type { Ids, Outcome } from '../base/outcome.ts'
import { UnreachableError } from './connect.ts'
import { WaitError } from './wait-error.ts'

const most = 20
const patience = 5000

/** The lines of a page, from `entries`: the plain lines are deprecated and may be missing. */
function linesOf({ entries = [], logs = [] }: Answer<Endpoints['get-service-logs']>): string[] {
  if (entries.length === 0) return logs
  return entries.map(({ timestamp = '', severity = '', message = '' }) =>
    `${[timestamp, severity].filter(Boolean).join(' ')}: ${message}`.replace(/^: /, ''),
  )
}

/** Oldest first. Empty if the log is unreadable: the failure itself matters more. */
async function readLastLogLines({ client, seam }: Calls, ids: Ids): Promise<string[]> {
  const { project_id = '', service_id = '' } = ids
  try {
    const options = { attempts: 1, deadline: seam.now() + patience }
    const page = await client.call('get-service-logs', { project_id, service_id }, options)
    return linesOf(page).slice(0, most).reverse()
  } catch {
    return []
  }
}

/** Wraps an operation: adds the last lines of the service's log to a failed wait. */
export function withLogLines<Given, Needed extends Calls>(
  run: (given: Given, context: Needed) => Promise<Outcome>,
) {
  return async (given: Given, context: Needed): Promise<Outcome> => {
    try {
      return await run(given, context)
    } catch (failure) {
      const waited = failure instanceof WaitError && failure.resource === 'service' && !context.signal.aborted
      if (waited) failure.logLines = await readLastLogLines(context, failure.ids)
      throw failure
    }
  }
}

/** The record of a failed wait, as last observed. */
function seenBy({ resource, ids, latest }: WaitError) {
  return { resource, ids, ...(latest !== undefined && { record: latest, result: latest }) }
}

/** Runs the work after a call. If it fails, the outputs contain everything known so far. */
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
    journal.publish({ ...outcome, ...seen, deleted: false, timeline: timeline.timeline })
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
        context.journal.publish({ operation, ...seenBy(failure), timeline: context.timeline.timeline })
      throw failure
    }
  }
}

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
  const rendered = timeline.render()
  if (rendered !== undefined && !failure.message.includes(' have passed: '))
    failure.message += `; ${rendered}`
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
