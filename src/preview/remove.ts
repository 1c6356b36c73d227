import { endpoints } from '../api/endpoints.ts'
import type { Service } from '../api/records.ts'
import { ApiError } from '../client/errors.ts'
import type { Context } from '../operations/context.ts'
import { readRecord } from '../operations/read-record.ts'
import { waitUntilSettled } from '../operations/settled.ts'
import { type Ownership, reasonToKeep } from './guard.ts'

/** What became of a service that was to be deleted. */
export type Removal = { deleted: true } | { deleted: false; reason: string }

/** A service that is just being changed refuses to be deleted for a while; then it is asked again. */
const again = { every: 2000, patience: 120_000 }

type Ids = { project_id: string; service_id: string }

/** Whether a service is on its way out, or gone. */
async function isLeaving(context: Context, ids: Ids): Promise<boolean> {
  const record = (await readRecord(context.client, 'service', ids)) as Service | undefined
  return record === undefined || record.status === 'DELETING' || record.status === 'DELETED'
}

/** Sends the DELETE until it is taken, or somebody else's was. */
async function askToDelete(context: Context, ids: Ids): Promise<void> {
  const { seam, client, signal, log } = context
  const last = Math.min(context.deadline, seam.now() + again.patience)
  for (;;) {
    try {
      await client.call('delete-service', ids)
      return
    } catch (failure) {
      if (!(failure instanceof ApiError) || (failure.status !== 404 && failure.status !== 409)) throw failure
      if (await isLeaving(context, ids)) return
      if (seam.now() + again.every > last) throw failure
      log.debug(failure.message)
    }
    await seam.sleep(again.every, signal)
  }
}

/**
 * Deletes a preview, if the guard lets it, and with `wait` stays until it is gone. One that is gone already
 * counts as deleted: somebody else was quicker.
 */
export async function removePreview(
  context: Context,
  service: Service,
  owner: Ownership & { projectId: string },
  { wait }: { wait: boolean },
): Promise<Removal> {
  const reason = reasonToKeep(service, owner)
  if (reason !== undefined) {
    context.log.warning(`service ${service.service_id} (${service.name}) is left alone: ${reason}`)
    return { deleted: false, reason }
  }
  const ids = { project_id: owner.projectId, service_id: service.service_id }
  context.log.info(`deleting service ${service.service_id} (${service.name})`)
  await askToDelete(context, ids)
  if (wait) await waitUntilGone(context, ids)
  return { deleted: true }
}

/** Waits until a service is gone (DESIGN rule 4). */
export async function waitUntilGone(
  context: Context,
  ids: { project_id: string; service_id: string },
): Promise<void> {
  const { settled } = endpoints['delete-service']
  await waitUntilSettled(context, { settled, asked: {}, ids, justCreated: false, lookAtOnce: true })
}
