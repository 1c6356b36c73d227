/** Decides whether a record may be deleted, requests its deletion, and repeats attempts to delete. */
import { type AnyRecord, describeRecord, isService, type Resource, resources } from '#api/resource'
import { isEnding, protectingTag } from '#api/service-states'
import { ApiError, isApiError, TransportError } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import { isKeyRefusal, isTemporary, isUnreadable } from '#client/retry'
import type { Calls, Waiting } from '../base/context.ts'
import type { Plan } from '../base/journaled.ts'
import type { Ids } from '../base/outcome.ts'
import { idOf, readShown } from '../base/read-record.ts'
import { longestReadLag } from '../wait/settled.ts'
import { WaitError } from '../wait/wait-error.ts'
import { retry, waitFor } from '../wait/wait-log.ts'

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
const repetition = { interval: 2000, patience: 120_000 }

/** Refusals that may only mean that the record is being deleted or gone. */
const ambiguousRefusals = [400, 404, 409, 410, 422]

/**
 * Repeats the DELETE until the API accepts it, or the record is being deleted already.
 * @param createdAt when the creation was requested, by the server's clock: for a while, reads may not find a new record
 * @throws ApiError if the DELETE is refused for good, or still refused at the deadline
 */
export async function requestDeletion(context: Calls, resource: Resource, ids: Ids, createdAt = 0) {
  const { seam, client, log, deadline } = context
  const until = Math.min(deadline, seam.now() + repetition.patience)
  await waitFor(context, {
    what: `until the API accepts the deletion of ${describeRecord(resource, ids)}`,
    why: 'the API refuses it while the record is new or being changed',
    interval: repetition.interval,
    until,
    check: async () => {
      try {
        await client.callAny(resources[resource].delete, ids)
        return true
      } catch (failure) {
        if (!isApiError(failure, ...ambiguousRefusals)) throw failure
        const { status } = failure
        const mayAppear = status === 404 && client.date() < createdAt + longestReadLag
        const shown = mayAppear ? undefined : await readShown(client, resource, ids)
        // A 409 proves that the record exists: a read that does not find it is outdated.
        const isGone = shown === undefined && !mayAppear && status !== 409
        if (isGone || (shown !== undefined && isEnding(shown))) return true
        const mayPass = status === 404 || status === 409
        if (!mayPass || seam.now() + repetition.interval > until) throw failure
        log.debug(failure.message)
        return undefined
      }
    },
  })
}

/** Milliseconds between two attempts. */
export const attemptInterval = 5000

/** Milliseconds for which attempts are repeated although the API refuses the key. */
const refusalPatience = 60_000

const causeOf = (failure: unknown) => (failure instanceof WaitError ? failure.cause : failure)

/**
 * Repeats an attempt until the deadline, after every temporary failure, since no later step could try again. A proxy's
 * error page counts as temporary, and a refused key for `patience` milliseconds.
 */
export async function keepTrying<Result>(
  context: Waiting,
  attempt: () => Promise<Result>,
  patience = refusalPatience,
): Promise<Result> {
  const { seam, deadline } = context
  let refusedSince: number | undefined
  return await retry(context, attempt, {
    interval: attemptInterval,
    until(failure) {
      const reason = causeOf(failure)
      const isRefusal = reason instanceof ApiError && isKeyRefusal(reason)
      // If an answer was lost in between, the refusals are not consecutive.
      if (!isRefusal || reason.isAfterLostAnswer) refusedSince = undefined
      if (isRefusal) refusedSince ??= seam.now()
      const mayPass = isTemporary(reason) || isUnreadable(reason)
      const isPatient = refusedSince !== undefined && seam.now() - refusedSince < patience
      return mayPass || isPatient ? deadline : undefined
    },
    describe: failure => `cleanup: ${messageOf(failure)}`,
  })
}

/** Milliseconds between two attempts during an outage, and for the whole outage. */
const outage = { interval: 10_000, patience: 120_000 }

/** Whether the failure may end within minutes. An untrusted certificate does not. */
const isOutage = (reason: unknown) =>
  isTemporary(reason) && !(reason instanceof TransportError && reason.isLasting)

/**
 * Repeats a deletion during an outage of at most 2 minutes, because the event that requires it comes only once. The
 * attempt must read again everything that it relies on.
 */
export async function outlastOutage<Result>(context: Waiting, attempt: () => Promise<Result>) {
  const { seam, deadline } = context
  let last: number | undefined
  return await retry(context, attempt, {
    interval: outage.interval,
    until(failure) {
      last ??= Math.min(deadline, seam.now() + outage.patience)
      return isOutage(causeOf(failure)) ? last : undefined
    },
  })
}
