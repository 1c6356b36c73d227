/** Decides whether a record may be deleted, and requests its deletion. */
import { type AnyRecord, describeRecord, isService, type Resource, resources } from '#api/resource'
import { isEnding, protectingTag } from '#api/service-states'
import { ApiError } from '#base/errors'
import type { Calls } from '../base/context.ts'
import type { Plan } from '../base/journaled.ts'
import type { Ids } from '../base/outcome.ts'
import { idOf, readShown } from '../base/read-record.ts'
import { longestReadLag } from '../wait/settled.ts'
import { waitFor } from '../wait/wait-log.ts'

/** Why a record is kept although the journal attributes it to this step. Call it before each deletion, with a record just read. */
export function reasonToKeep(record: AnyRecord, plan: Plan): string | undefined {
  const id = idOf(plan.resource, record)
  if (plan.existing.includes(id)) return 'it existed before this step'
  if (!isService(plan.resource, record)) return undefined
  if (id === plan.parentId) return 'it is the parent'
  const tag = protectingTag(record, plan.production)
  if (tag !== undefined) return `it is tagged ${tag}, which this step did not request`
  const parent = record.forked_from?.service_id
  if (parent !== undefined && parent !== plan.parentId)
    return `it is a fork of ${parent}, which this step did not request`
  return undefined
}

/** The API refuses to delete a record that is being changed, so the DELETE is repeated. Times in milliseconds. */
const repetition = { every: 2000, patience: 120_000 }

/** Refusals that may only mean that the record is being deleted or gone. */
const ambiguousRefusals = [400, 404, 409, 410, 422]

/**
 * Repeats the DELETE until the API accepts it, or the record is being deleted already.
 * @param createdAt when the creation was requested, by the server's clock: for a while, reads may not find a new record
 * @throws ApiError if the DELETE is refused for good, or still refused at the deadline
 */
export async function requestDeletion(
  context: Calls,
  resource: Resource,
  ids: Ids,
  createdAt = 0,
): Promise<void> {
  const { seam, client, log, deadline } = context
  const until = Math.min(deadline, seam.now() + repetition.patience)
  await waitFor(context, {
    what: `until the API accepts the deletion of ${describeRecord(resource, ids)}`,
    why: 'the API refuses it while the record is new or being changed',
    interval: repetition.every,
    until,
    check: async () => {
      try {
        await client.callAny(resources[resource].delete, ids)
        return true
      } catch (failure) {
        if (!(failure instanceof ApiError && ambiguousRefusals.includes(failure.status))) throw failure
        const { status } = failure
        const mayAppear = status === 404 && client.date() < createdAt + longestReadLag
        const shown = mayAppear ? undefined : await readShown(client, resource, ids)
        // A 409 proves that the record exists: a read that does not find it is outdated.
        const isGone = shown === undefined && !mayAppear && status !== 409
        if (isGone || (shown !== undefined && isEnding(shown))) return true
        const mayPass = status === 404 || status === 409
        if (!mayPass || seam.now() + repetition.every > until) throw failure
        log.debug(failure.message)
        return undefined
      }
    },
  })
}
