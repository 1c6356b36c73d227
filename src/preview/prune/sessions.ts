/** Checks whether the database of a preview is in use. */
import type { Service } from '#api/records'
import { renderDuration } from '#base/duration'
import type { Databases } from '#operations/base/context'
import { reasonOf } from '#operations/wait/targets'

/** Milliseconds that the database may take to answer. */
const patience = 5000

/**
 * Why a preview may be in use; undefined only if its database proves that it is not. Then it has no open session. It
 * was not started within the last `pauseAfter` milliseconds, and no job got its connection details in that time. An
 * unreachable database may be in use.
 */
export async function reasonInUse(
  context: Databases,
  service: Service,
  pauseAfter: number,
): Promise<string | undefined> {
  const { settings, seam, deadline, signal } = context
  if (service.connection_pooler) return 'its pooler may hold sessions that the database does not know of'
  if ((service.read_replica_sets ?? []).length > 0) return 'it has read replica sets, which may be in use'
  if (service.endpoint === undefined) return 'it has no address at which it could be asked for open sessions'
  const password = context.derivePassword(service.service_id)
  context.mask(password)
  const timeout = Math.min(patience, Math.max(1000, deadline - seam.now()))
  try {
    const { host, port } = service.endpoint
    const activity = await context.readActivity({ ...settings.login, host, port, password }, timeout)
    const { sessions, upFor, handedOutFor = Number.POSITIVE_INFINITY } = activity
    if (sessions > 0) return `it has ${sessions} open session${sessions > 1 ? 's' : ''}`
    const long = renderDuration(pauseAfter)
    if (upFor < pauseAfter) return `it was started less than ${long} ago`
    return handedOutFor < pauseAfter ? `a job was given its connection less than ${long} ago` : undefined
  } catch (failure) {
    signal.throwIfAborted()
    // The service may be a fork without a quarantine.
    const reason = reasonOf(failure, { address: service.endpoint, isWithheld: true })
    return `it cannot be asked for open sessions (${reason})`
  }
}
