/** Adds facts to the failure of an operation: the last record, the log of the service, existing services, the timeline. */
import type { Answer } from '#api/endpoint'
import type { Endpoints } from '#api/endpoints'
import { cap } from '#base/bytes'
import { ActionError, isApiError, RequestTimeoutError, TransportError } from '#base/errors'
import { editDistance } from '#base/suggest'
import { messageOf } from '#base/unknown-values'
import type { Calls, Creating, Waiting } from '../base/context.ts'
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

/** Names the services of the project, the most similar ids first. In a public log, names may be too much. */
async function renderExisting(
  { client, seam, event: { isPublic } }: Calls & WithVisibility,
  project_id: string,
  missing: string,
): Promise<string> {
  const options = { attempts: 1, deadline: seam.now() + readPatience, readMalformed: () => [] }
  const services = await listRecords(client, 'service', { project_id }, options)
  if (services.some(({ service_id }) => service_id === missing)) return ''
  if (services.length === 0) return '. The project has no services'
  const named = services
    .map(({ service_id, name }) => ({ service_id, name, distance: editDistance(missing, service_id) }))
    .sort((first, second) => first.distance - second.distance)
    .map(({ service_id, name }) => (isPublic || name === undefined ? service_id : `${service_id} (${name})`))
  return `. The project has ${cap(named, mostNamed).join(', ')}`
}

/** After a 404 about a service, the advice names those that exist. */
export async function addExistingServices(failure: unknown, context: Calls & WithVisibility): Promise<void> {
  if (!isApiError(failure, 404)) return
  const [, project, service] = pathOfService.exec(failure.call.path) ?? []
  if (project === undefined || service === undefined) return
  try {
    failure.next += await renderExisting(context, project, service)
  } catch (problem) {
    context.signal.throwIfAborted()
    context.log.debug(`the services that exist are unknown: ${messageOf(problem)}`)
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
