/** Reads the record of a preview again, for a decision about its database. */
import type { Service } from '#api/records'
import { isEnding } from '#api/service-states'
import type { Calls } from '#operations/base/context'
import { isUnlisted, readRecord } from '#operations/base/read-record'
import { WaitError } from '#operations/wait/wait-error'

/**
 * Returns the newest record of a service. A young record may name its parent only now. A lagging read that misses the
 * service returns the known record.
 * @throws WaitError if the service is being deleted or gone
 */
export async function readRecordAgain({ client }: Calls, service: Service): Promise<Service> {
  const { project_id, service_id } = service
  if (project_id === undefined) return service
  const ids = { project_id, service_id }
  const record = await readRecord(client, 'service', ids)
  if (record === undefined && !(await isUnlisted(client, 'service', ids))) return service
  if (record !== undefined && !isEnding(record)) return record
  const message = `service ${service_id} was deleted before its connection details were published`
  throw new WaitError(message, 'run the step again', {
    resource: 'service',
    ids,
    latest: record,
    history: [],
    isGone: true,
  })
}
