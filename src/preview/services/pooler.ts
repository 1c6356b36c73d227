/** Enables the connection pooler of a preview. */
import { hasPooler } from '#api/already'
import { endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import { ApiError } from '#base/errors'
import type { Calls } from '#operations/base/context'
import { waitUntilSettled } from '#operations/wait/settled'
import type { Preview } from '../base/identity.ts'

/**
 * Enables a connection pooler and waits for its address. Does nothing if the preview has one.
 *
 * @throws WaitError if it has no address by the deadline
 */
export async function givePooler(
  context: Calls,
  { projectId }: Pick<Preview, 'projectId'>,
  service: Service,
): Promise<Service> {
  if (hasPooler(service)) return service
  const ids = { project_id: projectId, service_id: service.service_id }
  context.log.info(`service ${service.service_id} has no pooler: switching it on`)
  try {
    await context.client.call('enable-pooler', ids)
  } catch (failure) {
    // 409: the pooler is enabled already, or another run was quicker. The wait decides.
    if (!(failure instanceof ApiError && failure.status === 409)) throw failure
  }
  const { goal } = endpoints['enable-pooler']
  return await waitUntilSettled(context, { goal, ids, startsWithCheck: true })
}
