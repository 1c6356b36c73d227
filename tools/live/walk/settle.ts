/** Waits for changes, and records their statuses. */
import type { Endpoint } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import type { AnyRecord } from '#api/resource'
import type { Ids } from '#operations/base/outcome'
import { isDeleted, isUnlisted, readShown, statusOf } from '#operations/base/read-record'
import { replicaSetChanges, serviceChanges } from '../../../emulator/store/progress/change.ts'
import { asWord } from '../report/described.ts'
import { type Course, passedOf } from '../report/findings.ts'
import type { Tour } from './tour.ts'

/** The statuses of the emulator, for comparison. */
const usualStatuses: Partial<Record<EndpointName, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(serviceChanges).map(([kind, statuses]) => [kind.replace(/^\w+$/, '$&-service'), statuses]),
  ),
  ...Object.fromEntries(
    Object.entries(replicaSetChanges).map(([kind, status]) => [`${kind}-replica`, [status]]),
  ),
}

/** Whether all of these are among the others, in that order. */
function isPartOf(some: string[], all: readonly string[]): boolean {
  let from = 0
  return some.every(one => {
    from = all.indexOf(one, from) + 1
    return from > 0
  })
}

function compareCourse({ findings }: Tour, course: Course) {
  const { operation } = course
  const usual = usualStatuses[operation] ?? []
  const passed = passedOf(course).map(([status]) => status)
  if (isPartOf(passed, usual)) return
  const [seen, expected] = [passed, usual].map(statuses => statuses.join(', ') || 'none')
  findings.differ(`${operation}: passes through ${seen}; the emulator through ${expected}`)
}

/** Waits until the work of a call is done, and records the statuses. Returns the record, if it must exist. */
export async function settle(
  tour: Tour,
  operation: EndpointName,
  asked: Ids & Record<string, unknown>,
): Promise<AnyRecord | undefined> {
  const { client, seam, findings, every, signal } = tour
  const { goal, creates }: Endpoint = endpoints[operation]
  if (goal === undefined) return undefined
  const since = seam.now()
  const course: Course = { operation, statuses: [], done: undefined }
  findings.courses.push(course)
  for (;;) {
    const record = await readShown(client, goal.record, asked)
    const at = Math.round(seam.now() - since)
    // It may be any text, and is reported only if it is a word.
    const status = record && (asWord(statusOf(record)) ?? '(no word)')
    if (status && course.statuses.at(-1)?.status !== status) course.statuses.push({ status, at })
    let isDone = false
    if (goal.until === 'gone') {
      if (record && isDeleted(record))
        findings.differ(`${operation}: a deleted record is still shown, as DELETED`)
      isDone = record ? isDeleted(record) : await isUnlisted(client, goal.record, asked)
    } else if (record) {
      const verdict = goal.evaluate(record, asked)
      if (typeof verdict === 'object') throw new Error(`${operation}: ${verdict.failed}`)
      isDone = verdict === 'settled'
    } else if (!creates || at > 60_000) throw new Error(`${operation}: the record is missing`)
    else findings.differ(`${operation}: the new record is not found at once by its id`)
    if (isDone) {
      course.done = at
      compareCourse(tour, course)
      return record
    }
    if (at > goal.minutes * 60_000 || seam.now() > tour.deadline)
      throw new Error(`${operation}: not done after ${Math.round(at / 60_000)} min`)
    await seam.sleep(every, signal)
  }
}

/** Calls an operation, and waits until its work is done. */
export async function change(tour: Tour, operation: EndpointName, asked: Ids & Record<string, unknown>) {
  await tour.client.callAny(operation, asked)
  return await settle(tour, operation, asked)
}
