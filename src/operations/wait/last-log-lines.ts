// Adds the log of a service to a failed wait.

import type { Answer } from '#api/endpoint'
import type { Endpoints } from '#api/endpoints'
import type { Calls } from '../base/context.ts'
import type { Ids, Outcome } from '../base/outcome.ts'
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

/**
 * The last lines of a service's log, oldest first, for the report of a failure. Empty if the log is
 * unreadable: the failure itself matters more.
 */
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
