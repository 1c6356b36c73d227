import { describeRecord, type Resource, resources } from '#api/resource'
import { isEnding } from '#api/service-states'
import { ApiError } from '#base/errors'
import { callAny } from '#client/client'
import type { Calls } from '../base/context.ts'
import type { Ids } from '../base/outcome.ts'
import { readRecord, readShown, statusOf } from '../base/read-record.ts'
import { appearance } from '../wait/settled.ts'
import { waitFor } from '../wait/wait-log.ts'

/** The API refuses to delete a record while it is being changed, so the DELETE is repeated. Milliseconds. */
const again = { every: 2000, patience: 120_000 }

/** Refusals that may only mean that the record is on its way out, or gone. */
const refusals = [400, 404, 409, 410, 422]

/** Whether a record is on its way out, or gone. */
export async function isLeaving(context: Calls, resource: Resource, ids: Ids): Promise<boolean> {
  const record = await readRecord(context.client, resource, ids)
  return record === undefined || isEnding({ status: statusOf(record) })
}

/**
 * Repeats the DELETE until it is accepted, or the record is going away anyway.
 *
 * @param sent when the creation was requested, by the server's clock: for a while, a new record may not be found
 * @throws ApiError when the DELETE is refused for good, or still refused at the deadline
 */
export async function askToDelete(context: Calls, resource: Resource, ids: Ids, sent = 0): Promise<void> {
  const { seam, client, log, deadline } = context
  const until = Math.min(deadline, seam.now() + again.patience)
  await waitFor(context, {
    what: `until the API takes the deletion of ${describeRecord(resource, ids)}`,
    why: 'it refuses that while the record is new or being changed',
    interval: again.every,
    until,
    check: async progress => {
      try {
        await callAny(client)(resources[resource].delete, ids)
        return true
      } catch (failure) {
        if (!(failure instanceof ApiError && refusals.includes(failure.status))) throw failure
        const { status } = failure
        const mayAppear = status === 404 && client.date() < sent + appearance
        const shown = mayAppear ? undefined : await readShown(client, resource, ids)
        // A 409 proves that the record exists: a read that misses it is behind.
        const isGone = shown === undefined && !mayAppear && status !== 409
        if (isGone || (shown !== undefined && isEnding(shown))) return true
        const mayPass = status === 404 || status === 409
        if (!mayPass || seam.now() + again.every > until) throw failure
        log.debug(failure.message)
        progress.name(until - seam.now())
        progress.remind(failure.message)
        return undefined
      }
    },
  })
}
