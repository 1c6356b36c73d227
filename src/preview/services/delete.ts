/** Deletes the database of a preview after a check of its fresh record, and waits until it is gone. */
import { endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import type { Seam } from '#base/seam'
import type { Calls } from '#operations/base/context'
import { readRecord } from '#operations/base/read-record'
import { askToDelete, isLeaving } from '#operations/cleanup/ask-to-delete'
import { waitUntilSettled } from '#operations/wait/settled'
import { rest, waitFor } from '#operations/wait/wait-log'
import { isYoung } from '../base/age.ts'
import type { WithSettings } from '../base/context.ts'
import { isOriginUnknown, type Owner, reasonRenamed, reasonToKeep } from '../base/guard.ts'
import { describeNamed } from '../base/name.ts'

/** Milliseconds for which a record counts as just read. */
const freshness = 10_000

/** The most judgements of a record. After them, a slow GitHub is no reason to wait longer. */
const mostRounds = 3

/**
 * Reads a record and judges it: the reason to keep it unchanged, or undefined. Under GitHub's rate limit, a judgement
 * may take minutes. Then both are repeated, so the change that follows relies on fresh answers.
 */
export async function judge<Found>(
  { seam }: { seam: Pick<Seam, 'now'> },
  read: () => Promise<Found>,
  reasonAgainst: (found: Found) => Promise<string | undefined>,
): Promise<{ found: Found; reason: string | undefined }> {
  for (let round = 1; ; round++) {
    const found = await read()
    const readAt = seam.now()
    const reason = await reasonAgainst(found)
    const isFresh = seam.now() - readAt <= freshness
    if (reason !== undefined || isFresh || round === mostRounds) return { found, reason }
  }
}

interface Ids {
  project_id: string
  service_id: string
}

export type Removal = { deleted: true } | { deleted: false; reason: string; isDryRun?: boolean }

export interface RemovalOptions {
  wait: boolean
  /** Called just before the DELETE, with the record just read: why it is kept, or undefined. */
  reasonNow?: (record: Service) => Promise<string | undefined>
}

const pause = 2000

/** Reads the record again, repeatedly while a new one may name its parent late. */
async function readAfresh(context: Calls, found: Service, owner: Owner): Promise<Service> {
  const { client, seam, settings, deadline } = context
  const ids = { project_id: owner.projectId, service_id: found.service_id }
  let latest = found
  await waitFor(context, {
    what: `for service ${found.service_id} to name its parent`,
    why: 'a new record may do so late',
    pending: `service ${found.service_id} names no parent yet`,
    interval: Math.min(pause, settings.listLag),
    until: Math.min(deadline, seam.now() + 3 * settings.listLag),
    check: async () => {
      latest = (await readRecord(client, 'service', ids)) ?? found
      return isOriginUnknown(latest, owner) && isYoung(context, latest) ? undefined : latest
    },
  })
  return latest
}

/**
 * Deletes a preview if the guard allows it on a record just read. A preview already gone counts as deleted. A dry run
 * makes the same checks and stops there.
 */
export async function removePreview(
  context: Calls & WithSettings<'dryRun'>,
  service: Service,
  owner: Owner,
  { wait, reasonNow }: RemovalOptions,
): Promise<Removal> {
  const guard = (record: Service) => reasonToKeep(record, owner) ?? reasonRenamed(service, record)
  const { found, reason } = await judge(
    context,
    () => readAfresh(context, service, owner),
    async record => guard(record) ?? (await reasonNow?.(record)),
  )
  if (reason !== undefined) {
    const line = `${describeNamed(service)} is not deleted: ${reason}`
    if (guard(found) === undefined) context.log.info(line)
    else context.log.warning(line, 'not deleted')
    return { deleted: false, reason }
  }
  if (context.settings.dryRun) return { deleted: false, reason: 'this is a dry run', isDryRun: true }
  const ids = { project_id: owner.projectId, service_id: service.service_id }
  context.log.info(`deleting ${describeNamed(service)}`)
  await askToDelete(context, 'service', ids)
  if (wait) await waitUntilGone(context, ids)
  return { deleted: true }
}

/** Waits until a service is gone: a 404, confirmed by the list. For a new one, first waits until all reads show it. */
export async function waitUntilGone(context: Calls, ids: Ids, isNew = false): Promise<void> {
  const { goal } = endpoints['delete-service']
  await waitUntilSettled(context, { goal, ids, justCreated: isNew, startsWithCheck: true })
}

/** The same for a service by its record. */
export async function outlast(context: Calls, project_id: string, service: Service): Promise<void> {
  await waitUntilGone(context, { project_id, service_id: service.service_id }, isYoung(context, service))
}

/** Whether a service is being deleted or gone; false if unknown. */
export async function isGoing(context: Calls, ids: Ids): Promise<boolean> {
  try {
    return await isLeaving(context, 'service', ids)
  } catch {
    context.signal.throwIfAborted()
    return false
  }
}

/** The same, even if reads lag: waits three times `list_lag`, since lags are not documented. */
export async function isGoingByNow(context: Calls, ids: Ids): Promise<boolean> {
  if (await isLeaving(context, 'service', ids)) return true
  await rest(context, 3 * context.settings.listLag, {
    what: `to read service ${ids.service_id} once more`,
    why: 'no list shows it, and reads may be behind',
  })
  return await isLeaving(context, 'service', ids)
}
