import { endpoints } from '../api/endpoints.ts'
import type { Service } from '../api/records.ts'
import { ApiError } from '../client/errors.ts'
import type { Context } from '../operations/context.ts'
import { waitUntilSettled } from '../operations/settled.ts'
import { type Ownership, reasonToKeep } from './guard.ts'

/** What became of a service that was to be deleted. */
export type Removal = { deleted: true } | { deleted: false; reason: string }

/**
 * Deletes a preview, if the guard lets it, and with a deadline waits until it is gone. One that is gone
 * already counts as deleted: somebody else was quicker.
 */
export async function removePreview(
  context: Context,
  service: Service,
  owner: Ownership & { projectId: string },
  deadline?: number,
): Promise<Removal> {
  const reason = reasonToKeep(service, owner)
  if (reason !== undefined) {
    context.log.warning(`service ${service.service_id} (${service.name}) is left alone: ${reason}`)
    return { deleted: false, reason }
  }
  const ids = { project_id: owner.projectId, service_id: service.service_id }
  context.log.info(`deleting service ${service.service_id} (${service.name})`)
  try {
    await context.client.call('delete-service', ids)
  } catch (failure) {
    const over = failure instanceof ApiError && (failure.status === 404 || failure.status === 409)
    if (!over) throw failure
    // Gone already, or on its way: the wait below tells which.
    context.log.debug(failure.message)
  }
  if (deadline !== undefined) await waitUntilGone(context, ids, deadline)
  return { deleted: true }
}

/** Waits until a service is gone (DESIGN rule 4). */
export async function waitUntilGone(
  context: Context,
  ids: { project_id: string; service_id: string },
  deadline: number,
): Promise<void> {
  const { settled } = endpoints['delete-service']
  await waitUntilSettled(context, { settled, asked: {}, ids, deadline, justCreated: false, lookAtOnce: true })
}
