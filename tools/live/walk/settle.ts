// Waits for changes, and records their statuses.

import type { Endpoint } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import type { AnyRecord } from '#api/resource'
import type { Ids } from '#operations/base/outcome'
import { isDeleted, isUnlisted, readShown, statusOf } from '#operations/base/read-record'
import { replicaSetChanges, serviceChanges, vpcChanges } from '../../../emulator/store/progress/change.ts'
import { asWord } from '../report/described.ts'
import type { Course } from '../report/findings.ts'
import { passedOf } from '../report/report.ts'
import type { Tour } from './tour.ts'

/** The statuses of the emulator, for comparison. */
const usualStatuses: Partial<Record<EndpointName, readonly string[]>> = {
  'create-service': serviceChanges.create,
  'fork-service': serviceChanges.fork,
  'start-service': serviceChanges.start,
  'stop-service': serviceChanges.stop,
  'resize-service': serviceChanges.resize,
  'set-ha': serviceChanges['set-ha'],
  'delete-service': serviceChanges.delete,
  'create-replica': [replicaSetChanges.create],
  'resize-replica': [replicaSetChanges.resize],
  'delete-replica': [replicaSetChanges.delete],
  'create-vpc': [vpcChanges.create],
  'delete-vpc': [vpcChanges.delete],
}

/** Whether all of these are among the others, in that order. */
const isPartOf = (some: string[], all: readonly string[]) => {
  let from = 0
  return some.every(one => {
    const at = all.indexOf(one, from)
    from = at + 1
    return at >= 0
  })
}

const listed = (statuses: readonly string[]) => statuses.join(', ') || 'none'

function compareCourse({ findings }: Tour, course: Course) {
  const { operation } = course
  const usual = usualStatuses[operation] ?? []
  const passed = passedOf(course).map(([status]) => status)
  if (isPartOf(passed, usual)) return
  findings.differ(`${operation}: passes through ${listed(passed)}; the emulator through ${listed(usual)}`)
}

/** Waits until the work of a call is done, and records the statuses. Returns the record, if it must exist. */
export async function settle(
  tour: Tour,
  operation: EndpointName,
  asked: Ids & Record<string, unknown>,
  before?: string,
): Promise<AnyRecord | undefined> {
  const { client, seam, findings, every, signal } = tour
  const { goal, creates }: Endpoint = endpoints[operation]
  if (goal === undefined) return undefined
  const since = seam.now()
  const isGone = goal.until === 'gone'
  const course: Course = { operation, before, isGone, statuses: [], done: undefined }
  findings.courses.push(course)
  for (;;) {
    const record = await readShown(client, goal.record, asked)
    const at = Math.round(seam.now() - since)
    // It may be any text, and is reported only if it is a word.
    const status = record && (asWord(statusOf(record)) ?? '(no word)')
    if (status && course.statuses.at(-1)?.status !== status) course.statuses.push({ status, at })
    let isDone = false
    if (isGone) {
      if (record && isDeleted(record))
        findings.differ(`${operation}: a deleted record is still shown, as DELETED`)
      isDone = record ? isDeleted(record) : await isUnlisted(client, goal.record, asked)
    } else if (record) {
      const verdict = goal.judge(record, asked)
      if (typeof verdict === 'object') throw new Error(`${operation}: ${verdict.failed}`)
      isDone = verdict === 'settled'
    } else if (!creates || at > 60_000) throw new Error(`${operation}: the record is not there`)
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
