/** Adds facts to the failure of an operation: the last record, the log of the service, existing services, the timeline. */
import type { Answer } from '#api/endpoint'
import type { Endpoints } from '#api/endpoints'
import type { Service } from '#api/records'
import { cap } from '#base/bytes'
import { ActionError, isApiError, RequestTimeoutError, TransportError } from '#base/errors'
import { editDistance } from '#base/suggest'
import { messageOf } from '#base/unknown-values'
import type { Calls, Creating, GivenParameters, Waiting } from '../base/context.ts'
import type { Ids, Outcome } from '../base/outcome.ts'
import { listRecords } from '../base/read-record.ts'
import { UnreachableError } from './connect.ts'
import { WaitError } from './wait-error.ts'

/** The number of log lines in a failure. */
const mostLines = 20

/** Milliseconds for reading the facts. */
const readPatience = 5000

/** The lines of a page, from `entries`: the plain lines are deprecated and may be missing. */
function linesOf({ entries = [], logs = [] }: Answer<Endpoints['get-service-logs']>): string[] {
  if (entries.length === 0) return logs
  return entries.map(({ timestamp = '', severity = '', message = '' }) =>
    `${[timestamp, severity].filter(Boolean).join(' ')}: ${message}`.replace(/^: /, ''),
  )
}

/** Oldest first. Empty if the log is unreadable: the failure itself matters more. */
async function readLastLogLines({ client, seam }: Calls, ids: Ids): Promise<string[]> {
  const { project_id = '', service_id = '' } = ids
  try {
    const options = { attempts: 1, deadline: seam.now() + readPatience }
    const page = await client.call('get-service-logs', { project_id, service_id }, options)
    return linesOf(page).slice(0, mostLines).reverse()
  } catch {
    return []
  }
}

/** Adds the last lines of the service's log to a failed wait. */
export async function addLogLines(failure: unknown, context: Calls): Promise<void> {
  const hasLog = failure instanceof WaitError && failure.resource === 'service'
  if (hasLog && !context.signal.aborted) failure.logLines = await readLastLogLines(context, failure.ids)
}

/** The project and the service in the path of a call. */
const pathOfService = /^\/projects\/([^/]+)\/services\/([^/]+)/

const mostNamed = 5

interface WithVisibility {
  event: { isPublic?: boolean }
}

/** The services of the project, the most similar ids first. In a public log, names may be too much. */
function renderExisting(services: Service[], missing: string, isPublic: boolean | undefined): string {
  const named = services
    .map(({ service_id, name }) => ({ service_id, name, distance: editDistance(missing, service_id) }))
    .sort((first, second) => first.distance - second.distance)
    .map(({ service_id, name }) => (isPublic || name === undefined ? service_id : `${service_id} (${name})`))
  return cap(named, mostNamed).join(', ')
}

/** After a 404 about the service in the input `service_id`, the failure names the services that exist. */
export async function addExistingServices(
  failure: unknown,
  { client, seam, signal, log, event: { isPublic } }: Calls & WithVisibility,
  given: GivenParameters,
): Promise<void> {
  if (!isApiError(failure, 404)) return
  const [, project_id, missing] = pathOfService.exec(failure.call.path) ?? []
  if (project_id === undefined || missing === undefined || missing !== given.service_id) return
  try {
    const options = { attempts: 1, deadline: seam.now() + readPatience, readMalformed: () => [] }
    const services = await listRecords(client, 'service', { project_id }, options)
    if (services.some(({ service_id }) => service_id === missing)) return
    failure.message += `; there is no service ${missing} in project ${project_id}`
    failure.next =
      services.length > 0
        ? `set service_id to one of: ${renderExisting(services, missing, isPublic)}`
        : 'use the keys of another project: this one has no services'
  } catch (problem) {
    signal.throwIfAborted()
    log.debug(`the services that exist are unknown: ${messageOf(problem)}`)
  }
}

/** The record of a failed wait as last read, for an outcome. Without one, the outcome keeps its own. */
function lastRecordOf({ resource, ids, latest }: WaitError): Omit<Outcome, 'operation'> {
  return latest === undefined ? { resource, ids } : { resource, ids, record: latest, result: latest }
}

/** Runs the work after a call. If it fails, the outputs contain everything known so far. */
export async function publishOnFailure<Result>(
  { journal, timeline }: Creating,
  outcome: Outcome,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (failure) {
    const lastRecord = failure instanceof WaitError ? lastRecordOf(failure) : {}
    // The deletion was requested, but not confirmed.
    journal.publish({ ...outcome, ...lastRecord, deleted: false, timeline: timeline.timeline })
    throw failure
  }
}

/** For an operation of several calls: if a wait fails, the outputs contain its last observed record. */
export function publishLastRecord(operation: string, failure: unknown, { journal, timeline }: Creating) {
  if (failure instanceof WaitError)
    journal.publish({ operation, ...lastRecordOf(failure), timeline: timeline.timeline })
}

/** Milliseconds. A wait may end this long before its deadline, when another attempt would start too late. */
const margin = 1000

const deadlineErrors = [WaitError, UnreachableError, RequestTimeoutError, TransportError]

/** Whether the deadline may have caused a failure. */
function mayComeFromDeadline(failure: unknown): failure is ActionError {
  if (deadlineErrors.some(kind => failure instanceof kind)) return true
  return failure instanceof ActionError && failure.cause !== undefined && mayComeFromDeadline(failure.cause)
}

/** Adds the timeline to a failure at the deadline. Idempotent. */
export function addTimeline(failure: unknown, { timeline, seam, deadline }: Waiting): void {
  if (!mayComeFromDeadline(failure) || seam.now() < deadline - margin) return
  const rendered = timeline.render()
  if (rendered !== undefined && !failure.message.includes(' have passed: '))
    failure.message += `; ${rendered}`
}
