/** Deletes the database of a preview after a check of its fresh record, and waits until it is gone. */
import { endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import type { Calls } from '#operations/base/context'
import { askToDelete, isLeaving } from '#operations/cleanup/ask-to-delete'
import { waitUntilSettled } from '#operations/wait/settled'
import { rest } from '#operations/wait/wait-log'
import { isYoung } from '../base/age.ts'
import type { WithSettings } from '../base/context.ts'
import {
  idsOf,
  isOriginUnknown,
  type Owner,
  reasonRenamed,
  reasonToKeep,
  type ServiceIds,
} from '../base/guard.ts'
import { describeNamed } from '../base/name.ts'
import { judge } from './judge.ts'
import { readUntilParent } from './ready.ts'

type Removal = { deleted: true } | { deleted: false; reason: string; isDryRun?: boolean }

/**
 * Deletes a preview if the guard allows it on a record just read. A preview already gone counts as deleted. A dry run
 * makes the same checks and stops there.
 * @param reasonNow called just before the DELETE, with the record just read: why it is kept, or undefined
 */
export async function removePreview(
  context: Calls & WithSettings<'dryRun'>,
  service: Service,
  owner: Owner,
  reasonNow: (record: Service) => Promise<string | undefined> = async () => undefined,
): Promise<Removal> {
  const ids = idsOf(owner, service)
  const isPending = (record: Service) => isOriginUnknown(record, owner) && isYoung(context, record)
  const guard = (record: Service) => reasonToKeep(record, owner) ?? reasonRenamed(service, record)
  const { found, reason } = await judge(
    context,
    () => readUntilParent(context, ids, service, { isPending, startsLater: false }),
    async record => guard(record) ?? (await reasonNow(record)),
  )
  if (reason !== undefined) {
    const line = `${describeNamed(service)} is not deleted: ${reason}`
    if (guard(found) === undefined) context.log.info(line)
    else context.log.warning(line, 'not deleted')
    return { deleted: false, reason }
  }
  if (context.settings.dryRun) return { deleted: false, reason: 'this is a dry run', isDryRun: true }
  context.log.info(`deleting ${describeNamed(service)}`)
  await askToDelete(context, 'service', ids)
  return { deleted: true }
}

/** Waits until a service is gone: a 404, confirmed by the list. For a new one, first waits until all reads show it. */
export async function waitUntilGone(context: Calls, ids: ServiceIds, justCreated = false): Promise<void> {
  const { goal } = endpoints['delete-service']
  await waitUntilSettled(context, { goal, ids, justCreated, startsWithCheck: true })
}

/** Whether a service is being deleted or gone; false if unknown. */
export async function isGoing(context: Calls, ids: ServiceIds): Promise<boolean> {
  try {
    return await isLeaving(context, 'service', ids)
  } catch {
    context.signal.throwIfAborted()
    return false
  }
}

/** The same, even if reads lag: waits three times `list_lag`, since lags are not documented. */
export async function isGoingByNow(context: Calls, ids: ServiceIds): Promise<boolean> {
  if (await isLeaving(context, 'service', ids)) return true
  await rest(context, 3 * context.settings.listLag, {
    what: `to read service ${ids.service_id} once more`,
    why: 'no list shows it, and reads may be behind',
  })
  return await isLeaving(context, 'service', ids)
}
