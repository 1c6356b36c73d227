import { endpoints } from '../../api/endpoints.ts'
import { serviceIs } from '../../api/goal.ts'
import type { Service } from '../../api/records.ts'
import { ApiError } from '../../base/errors.ts'
import type { Context } from '../../operations/base/context.ts'
import { readRecord } from '../../operations/base/read-record.ts'
import { waitUntilSettled } from '../../operations/wait/settled.ts'
import { waitUpTo } from '../../operations/wait/wait-log.ts'
import { isYoung } from '../base/age.ts'
import { isOriginUnknown } from '../base/guard.ts'
import type { Preview } from '../base/identity.ts'

/** Starts a paused service, once pausing is over. If it leaves PAUSED by itself, another run has started it. */
export async function start(
  context: Context,
  ids: { project_id: string; service_id: string },
): Promise<void> {
  const goal = serviceIs(10, 'be no longer PAUSING', service => service.status !== 'PAUSING')
  const { status } = await waitUntilSettled(context, { goal, ids, lookAtOnce: true })
  if (status !== 'PAUSED') return
  context.log.info(`service ${ids.service_id} is paused: starting it`)
  try {
    await context.client.call('start-service', ids)
  } catch (failure) {
    // 409: another run was quicker.
    if (!(failure instanceof ApiError && failure.status === 409)) throw failure
  }
}

/**
 * Brings a preview's service to READY. Reads may miss a new one for a while, if none has shown it yet.
 *
 * @throws WaitError when it does not become READY by the deadline, or cannot
 */
export async function makeReady(
  context: Context,
  { projectId }: Pick<Preview, 'projectId'>,
  { service_id, status }: Service,
  { isNew, isSeen }: { isNew: boolean; isSeen: boolean },
): Promise<Service> {
  const ids = { project_id: projectId, service_id }
  if (status === 'PAUSED' || status === 'PAUSING') await start(context, ids)
  const { goal } = endpoints['create-service']
  return await waitUntilSettled(context, {
    goal,
    ids,
    justCreated: isNew,
    isSeen,
    left: 'the next run of the pull request goes on with it',
    lookAtOnce: true,
  })
}

/** A new READY service may name its parent late: reads it again for a while until it does. */
export async function learnOrigin(context: Context, preview: Preview, service: Service): Promise<Service> {
  const { client, seam, settings, signal, deadline } = context
  const ids = { project_id: preview.projectId, service_id: service.service_id }
  const end = Math.min(deadline, seam.now() + 3 * settings.listLag)
  let current = service
  const what = `for service ${service.service_id} to name its parent`
  return await waitUpTo(context, { what, why: 'a new record may do so late' }, async progress => {
    while (isOriginUnknown(current, preview) && isYoung(context, current) && seam.now() < end) {
      progress.name(end - seam.now())
      await seam.sleep(Math.min(1000, settings.listLag, end - seam.now()), signal)
      // A lagging read may miss it.
      current = (await readRecord(client, 'service', ids)) ?? current
      progress.remind(`service ${service.service_id} names no parent yet`)
    }
    return current
  })
}
