import type { JobReport } from './job.ts'
import { livingPreviews } from './left-invariants.ts'
import { pullRequest } from './preview-names.ts'
import { givenTo, isFarBehind, type Played, type Violation, violation } from './violation.ts'

/** Less time than a lost request may take to be processed: a run that has no more only warns of a second database. */
const tooShort = 3 * 60_000

const hasSucceeded = ({ ending, plan }: JobReport) =>
  ending.kind === 'succeeded' && (plan.operation !== 'create-preview' || plan.patience > tooShort)

const isThere = (id: string | undefined) => id !== undefined

/** The databases that the runs gave; a run for a closed pull request gives none. */
const idsOf = (reports: JobReport[]) =>
  reports
    .filter(({ plan }) => plan.operation === 'create-preview')
    .map(givenTo)
    .filter(isThere)

/** Whether two previews are at rest although all went well: it happens where answers are far behind. */
export function areTwoAtRest(played: Played): boolean {
  const { reports } = played
  const isSettled = idsOf(reports).length > 0 && reports.every(hasSucceeded)
  return isSettled && livingPreviews(played, pullRequest).length > 1
}

/**
 * The promises about the runs of one pull request, once all of them are over: on a clear day all succeed; where every
 * one succeeded, there is one database at most, and all runs gave the same.
 */
export function checkRest(played: Played): Violation[] {
  const { world, story, reports } = played
  if (isFarBehind(world)) return []
  const isCalm = reports.every(
    ({ plan }) => plan.weather.isCalm && plan.fate === undefined && plan.patience > tooShort,
  )
  const failed = reports.filter(({ ending }) => ending.kind !== 'succeeded')
  if (story.mustSucceed && isCalm && failed.length > 0)
    return [violation('all runs succeed on a clear day', failed.map(({ plan }) => plan.name).join())]
  const given = idsOf(reports)
  if (given.length === 0 || !reports.every(hasSucceeded)) return []
  const left = livingPreviews(played, pullRequest).map(({ service_id }) => service_id)
  if (left.length > 1) return [violation('never two databases for one pull request', left.join())]
  // Without dates nothing tells which of two is the older: one that came later may win.
  const isComparable = given.length === reports.length && world.climate.dating.kind !== 'missing'
  if (isComparable && (left.length === 0 || new Set([...given, ...left]).size > 1))
    return [violation('all runs of a pull request give the same database', [...given, ...left].join())]
  return []
}

/** Two at rest are one after the next run that gives one. */
export function checkNextRun(played: Played): Violation[] {
  const left = livingPreviews(played, pullRequest).map(({ service_id }) => service_id)
  const isOver = left.length <= 1 || idsOf(played.reports).length === 0
  return isOver ? [] : [violation('two at rest are one after the next run', left.join())]
}

/** After delete-preview and one prune on a clear day, nothing of ours is left. */
export function checkFinale(played: Played): Violation[] {
  return livingPreviews(played).map(({ service_id, status }) =>
    violation('nothing is left after delete-preview and prune', `${service_id} is ${status}`),
  )
}
