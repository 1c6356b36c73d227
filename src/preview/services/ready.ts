/** Starts the database of a preview, waits until it is READY, and enables its pooler. */
import { endpoints } from '#api/endpoints'
import { type Goal, ofService } from '#api/goal'
import type { Service } from '#api/records'
import { hasPooler } from '#api/service-states'
import { isApiError } from '#base/errors'
import type { Calls } from '#operations/base/context'
import { readRecord } from '#operations/base/read-record'
import { type Wait, waitUntilSettled } from '#operations/wait/settled'
import { waitFor } from '#operations/wait/wait-log'
import type { ServiceIds } from '../base/guard.ts'
import { mayNameParentLate } from '../base/services.ts'

export const needsStart = ({ status }: Service) => status === 'PAUSED' || status === 'PAUSING'

/**
 * Starts a paused service once its pause is complete. Returns false if it is no longer PAUSED, because another run has
 * started it or the read lags.
 * @param visibility whether reads may miss the service, as they may miss a new one
 */
export async function startIfPaused(
  context: Calls,
  ids: ServiceIds,
  visibility: Pick<Wait, 'isNew' | 'isKnownToExist'> = {},
): Promise<boolean> {
  const goal = ofService.awaits(10, 'be no longer PAUSING', service => service.status !== 'PAUSING')
  const { status } = await waitUntilSettled(context, { goal, ids, startsWithCheck: true, ...visibility })
  if (status !== 'PAUSED') return false
  context.log.info(`service ${ids.service_id} is paused: starting it`)
  try {
    await context.client.call('start-service', ids)
  } catch (failure) {
    // Another run was quicker, and the service is running or starting (docs/internals/api.md, "Already as requested").
    if (!isApiError(failure, 400, 409)) throw failure
  }
  return true
}

const readyGoal: Goal<unknown, Service> = endpoints['create-service'].goal

/** READY or PAUSED: an earlier read may not have shown a recent pause request. */
const readyOrPausedGoal: Goal<unknown, Service> = {
  ...readyGoal,
  evaluate: (service, parameters) =>
    service.status === 'PAUSED' ? 'settled' : readyGoal.evaluate(service, parameters),
}

/** Milliseconds between two reads of a record that may lag. */
const readInterval = 1000

/**
 * Brings a preview's service to READY. Reads may miss a new one until one has shown it, and may alternate between
 * PAUSED and other statuses. The loop is no poll: it alternates between two waits.
 * @throws WaitError if it does not become READY by the deadline, or cannot
 */
export async function ensureReady(
  context: Calls,
  ids: ServiceIds,
  service: Service,
  visibility: Pick<Wait, 'isNew' | 'isKnownToExist'>,
): Promise<Service> {
  const { seam, settings, signal } = context
  const fate = 'the next run of the pull request continues with it'
  const wait = { ids, ...visibility, startsWithCheck: true, fate }
  let mayBePaused = needsStart(service)
  for (;;) {
    if (mayBePaused) {
      if (await startIfPaused(context, ids, visibility))
        return await waitUntilSettled(context, { goal: readyGoal, ...wait })
      await seam.sleep(Math.min(readInterval, settings.listLag), signal)
    }
    const settled = await waitUntilSettled(context, { goal: readyOrPausedGoal, ...wait })
    if (settled.status !== 'PAUSED') return settled
    mayBePaused = true
  }
}

/** Reads a record; repeatedly while it may name a needed parent late: at most for three times `list_lag`. */
export async function readUntilParent(
  context: Calls,
  ids: ServiceIds,
  service: Service,
  needsParent = true,
): Promise<Service> {
  const { client, seam, settings, deadline } = context
  let latest = service
  await waitFor(context, {
    what: `for service ${ids.service_id} to name its parent`,
    why: 'a new record may do so late',
    interval: Math.min(readInterval, settings.listLag),
    until: Math.min(deadline, seam.now() + 3 * settings.listLag),
    check: async () => {
      // A lagging read may miss it.
      latest = (await readRecord(client, 'service', ids)) ?? latest
      return needsParent && mayNameParentLate(context, latest) ? undefined : latest
    },
  })
  return latest
}

/** Enables a connection pooler and waits for its address. @throws WaitError if it has none by the deadline */
export async function enablePooler(context: Calls, ids: ServiceIds, service: Service): Promise<Service> {
  if (hasPooler(service)) return service
  context.log.info(`service ${ids.service_id} has no pooler: enabling it`)
  try {
    await context.client.call('enable-pooler', ids)
  } catch (failure) {
    // 409: the pooler is enabled already, or another run was quicker. The wait decides.
    if (!isApiError(failure, 409)) throw failure
  }
  return await waitUntilSettled(context, {
    goal: endpoints['enable-pooler'].goal,
    ids,
    startsWithCheck: true,
  })
}
