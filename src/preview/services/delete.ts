/** Deletes a database of a preview after a check of its fresh record, and waits until it is gone. */
import { endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import { isEnding } from '#api/service-states'
import type { Calls } from '#operations/base/context'
import { readRecord } from '#operations/base/read-record'
import { requestDeletion } from '#operations/cleanup/request-deletion'
import { waitUntilSettled } from '#operations/wait/settled'
import { logAndPause } from '#operations/wait/wait-log'
import type { WithSettings } from '../base/context.ts'
import { idsOf, type Owner, reasonRenamed, reasonToKeepPreview, type ServiceIds } from '../base/guard.ts'
import { describeNamed } from '../base/name.ts'
import { readUntilParent } from './ready.ts'

/** Milliseconds for which a record counts as just read. */
const freshFor = 10_000

/** The most checks of a record. After them, the last check decides, although GitHub answered slowly. */
const mostRounds = 3

/**
 * Reads a record and checks it: returns the reason against the change, or undefined. Under GitHub's rate limit, a check
 * may take minutes. Then both are repeated, so that the change relies on a fresh record.
 */
export async function checkRecord<Found>(
  { seam }: Calls,
  read: () => Promise<Found>,
  reasonAgainst: (found: Found) => Promise<string | undefined>,
): Promise<{ found: Found; reason: string | undefined }> {
  for (let round = 1; ; round++) {
    const found = await read()
    const readAt = seam.now()
    const reason = await reasonAgainst(found)
    const isFresh = seam.now() - readAt <= freshFor
    if (reason !== undefined || isFresh || round === mostRounds) return { found, reason }
  }
}

/** A database is kept by the guard, by the check of the caller, or because nothing changes in a dry run. */
type DeletionResult =
  | { deleted: true }
  | { deleted: false; reason: string; keptBy: 'guard' | 'check' | 'dry run' }

/**
 * Deletes a preview if the guard allows it on a record just read. A preview already gone counts as deleted. A dry run
 * makes the same checks and stops there.
 * @param reasonNow called just before the DELETE, with the record just read: why it is kept, or undefined
 */
export async function deleteDatabase(
  context: Calls & WithSettings<'dryRun'>,
  service: Service,
  owner: Owner,
  reasonNow: (record: Service) => Promise<string | undefined> = async () => undefined,
): Promise<DeletionResult> {
  const ids = idsOf(owner, service)
  const guard = (record: Service) => reasonToKeepPreview(record, owner) ?? reasonRenamed(service, record)
  const { found, reason } = await checkRecord(
    context,
    () => readUntilParent(context, ids, service, owner.parentId !== undefined),
    async record => guard(record) ?? (await reasonNow(record)),
  )
  if (reason !== undefined) {
    const line = `${describeNamed(service)} is not deleted: ${reason}`
    const keptBy = guard(found) === undefined ? 'check' : 'guard'
    if (keptBy === 'check') context.log.info(line)
    else context.log.warning(line, 'not deleted')
    return { deleted: false, reason, keptBy }
  }
  if (context.settings.dryRun) return { deleted: false, reason: 'this is a dry run', keptBy: 'dry run' }
  context.log.info(`deleting ${describeNamed(service)}`)
  await requestDeletion(context, 'service', ids)
  return { deleted: true }
}

/** Waits until a service is gone: a 404, confirmed by the list. For a new one, first waits until all reads show it. */
export async function waitUntilGone(context: Calls, ids: ServiceIds, isNew = false): Promise<void> {
  const { goal } = endpoints['delete-service']
  await waitUntilSettled(context, { goal, ids, isNew, startsWithCheck: true })
}

async function isGoneOrEnding({ client }: Calls, ids: ServiceIds): Promise<boolean> {
  const service = await readRecord(client, 'service', ids)
  return service === undefined || isEnding(service)
}

/** Whether a service is being deleted or gone; false if unknown. */
export async function isKnownGoneOrEnding(context: Calls, ids: ServiceIds): Promise<boolean> {
  try {
    return await isGoneOrEnding(context, ids)
  } catch {
    context.signal.throwIfAborted()
    return false
  }
}

/** Whether a service is being deleted or gone, even if reads lag: for that it waits three times `list_lag`. */
export async function isGoneOrEndingAfterLag(context: Calls, ids: ServiceIds): Promise<boolean> {
  if (await isGoneOrEnding(context, ids)) return true
  await logAndPause(context, 3 * context.settings.listLag, {
    what: `to read service ${ids.service_id} once more`,
    why: 'no list shows it, and reads may be behind',
  })
  return await isGoneOrEnding(context, ids)
}
