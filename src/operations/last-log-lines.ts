import type { Answer } from '../api/endpoint.ts'
import type { Endpoints } from '../api/endpoints.ts'
import type { Context } from './context.ts'
import type { Ids, Outcome } from './outcome.ts'
import { WaitError } from './settled.ts'

const most = 20
const patience = 5000

/** The lines of a page, from its entries; servers may leave out the plain lines, which are deprecated. */
function linesOf({ entries = [], logs = [] }: Answer<Endpoints['get-service-logs']>): string[] {
  if (entries.length === 0) return logs
  return entries.map(({ timestamp = '', severity = '', message = '' }) =>
    `${[timestamp, severity].filter(Boolean).join(' ')}: ${message}`.replace(/^: /, ''),
  )
}

/**
 * The last lines of a service's log, the oldest first, for a report of what went wrong. An API without logs is
 * no reason to fail: then there are none.
 */
async function readLastLogLines({ client, seam }: Context, ids: Ids): Promise<string[]> {
  const { project_id = '', service_id = '' } = ids
  try {
    const options = { attempts: 1, deadline: seam.now() + patience }
    const page = await client.call('get-service-logs', { project_id, service_id }, options)
    return linesOf(page).slice(0, most).reverse()
  } catch {
    return []
  }
}

/** Lets an operation tell the last lines of a service's log where waiting for the service fails. */
export function withLogLines<Given, Needed extends Context>(
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
