import { endpoints } from '../api/endpoints.ts'
import type { Service } from '../api/records.ts'
import { askToDelete } from '../operations/ask-to-delete.ts'
import type { Context } from '../operations/context.ts'
import { waitUntilSettled } from '../operations/settled.ts'
import { type Ownership, reasonToKeep } from './guard.ts'

/** What became of a service that was to be deleted. */
export type Removal = { deleted: true } | { deleted: false; reason: string }

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
  await askToDelete(context, 'service', ids)
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
