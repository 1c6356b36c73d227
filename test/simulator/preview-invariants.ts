/** The promises about the previews of one pull request. */
import { isCleanupDue } from '#operations/cleanup/cleanup'
import { isDeletionReadLate } from './climate.ts'
import type { JobReport } from './job-plan.ts'
import { existingIds, existingPreviews } from './left-invariants.ts'
import { previewBase, pullRequestOf } from './preview-names.ts'
import { baseOf, createsPreview, isReset, shouldHavePreview } from './subject.ts'
import {
  createdResource,
  isFarBehind,
  type Played,
  publishedId,
  type Violation,
  violation,
} from './violation.ts'

/** Less time than a lost request may need: a run with only so much warns of a second database. */
const tooShort = 3 * 60_000

const hasSucceeded = ({ ending, plan }: JobReport) =>
  ending.kind === 'succeeded' && (!createsPreview(plan) || plan.patience > tooShort)

const isDefined = (text: string | undefined): text is string => text !== undefined

/** The databases of a preview that the runs published; a run for a closed pull request publishes none. */
const idsOf = (reports: JobReport[], base = previewBase()) =>
  reports
    .filter(({ plan }) => baseOf(plan) === base)
    .map(publishedId)
    .filter(isDefined)

const basesOf = ({ reports }: Played) => [
  ...new Set(reports.map(({ plan }) => baseOf(plan)).filter(isDefined)),
]

/** Whether two previews remain without a fault: this happens if answers lag far behind. */
export function hasDuplicate(played: Played): boolean {
  const { reports } = played
  const isSettled = idsOf(reports).length > 0 && reports.every(hasSucceeded)
  return isSettled && existingPreviews(played, previewBase()).length > 1
}

/** The database is older than the story, and no run has set its password yet: get-connection reports that and fails. */
const isPasswordRefused = (ending: JobReport['ending']) =>
  ending.kind === 'failed' && String((ending.error as Error).message).includes('does not open the database')

/**
 * The promises about the runs of one pull request, after all have ended. Without faults all succeed. If all succeeded,
 * at most one database exists, and all runs published the same.
 */
export function checkRest(played: Played): Violation[] {
  const { world, story, reports } = played
  if (isFarBehind(world)) return []
  const isCalm = reports.every(
    ({ plan }) => plan.weather.isCalm && plan.fate === undefined && plan.patience > tooShort,
  )
  const failed = reports.filter(({ ending }) => ending.kind !== 'succeeded' && !isPasswordRefused(ending))
  if (story.mustSucceed && isCalm && failed.length > 0)
    return [violation('clearDay', failed.map(({ plan }) => plan.name).join())]
  return reports.every(hasSucceeded) ? basesOf(played).flatMap(base => checkSinglePreview(played, base)) : []
}

/** At most one database of a preview, and all runs published the same, unless one of them replaced it. */
function checkSinglePreview(played: Played, base: string): Violation[] {
  const { world, story } = played
  const reports = played.reports.filter(({ plan }) => baseOf(plan) === base)
  const given = idsOf(reports, base)
  if (!reports.some(report => createsPreview(report.plan) && isDefined(publishedId(report)))) return []
  const left = existingPreviews(played, base).map(({ service_id }) => service_id)
  if (left.length > 1) return [violation('oneDatabase', left.join())]
  // Without dates, the age of two databases cannot be compared: the later one may stay.
  const isComparable =
    !story.changes && given.length === played.reports.length && world.climate.dating.kind !== 'missing'
  if (isComparable && (left.length === 0 || new Set([...given, ...left]).size > 1))
    return [violation('sameDatabase', [...given, ...left].join())]
  return []
}

/** After the next run that publishes a preview, only one of two remains. */
export function checkNextRun(played: Played): Violation[] {
  const left = existingPreviews(played, previewBase()).map(({ service_id }) => service_id)
  const isOver = left.length <= 1 || idsOf(played.reports).length === 0
  return isOver ? [] : [violation('oneAfterNext', left.join())]
}

/** After delete-preview and one prune without faults, no preview of the repository is left. */
export function checkFinale(played: Played): Violation[] {
  // Only its date shows the age of a queue entry's preview: without dates, it stays.
  const isDated = played.world.climate.dating.kind !== 'missing'
  const left = existingPreviews(played).filter(
    ({ name = '' }) => isDated || pullRequestOf(name) !== undefined,
  )
  return left.map(({ service_id, status }) => violation('noneLeft', `${service_id} is ${status}`))
}

/**
 * A short outage or rate limit of the API ends neither the only run for a closed pull request nor the run that follows
 * without faults. Services that others tagged are kept, with an error.
 */
export const checkOutlasted = (reports: JobReport[]): Violation[] =>
  reports
    .filter(({ plan, ending }) => plan.weather.isOutage && ending.kind !== 'succeeded')
    .map(({ plan, error }) => ({ plan, message: (error as Error).message }))
    .filter(({ message }) => !message.includes('was not deleted'))
    .map(({ plan, message }) =>
      plan.operation === 'delete-preview'
        ? violation('closesInOutage', message)
        : violation('waitsForLimit', `${plan.name}: ${message}`),
    )

/** A published preview existed, and no other run deletes it while it is in use. */
export function checkGiven(played: Played, report: JobReport): Violation[] {
  const { world, story, reports } = played
  const { plan, startedAt, endedAt } = report
  const id = publishedId(report)
  if (!createsPreview(plan) || id === undefined) return []
  const { ledger, climate } = world
  const earlier = ledger.deletions.filter(
    deletion => deletion.id === id && (deletion.by === plan.name || deletion.at < startedAt),
  )
  const isChanged = story.changes === true || story.closedAt !== undefined
  // Without dates, no run can decide which of two databases is older. After a deletion for a closed pull request, a
  // lagging read by id still shows the older database: another run then deletes the younger.
  const isOrdered =
    climate.dating.kind !== 'missing' && !isFarBehind(world) && !(isChanged && isDeletionReadLate(climate))
  const since = isChanged ? endedAt : 0
  const others = reports.filter(
    ({ plan: other }) => other !== plan && createsPreview(other) && !isReset(other),
  )
  const names = isOrdered ? others.map(other => other.plan.name) : []
  // If GitHub does not answer, the closed pull request in the event counts.
  const closing = new Set(
    others.flatMap(({ plan: { name, event } }) => (event.action === 'closed' ? [name] : [])),
  )
  const taken = ledger.requests.filter(
    ({ id: asked, by, sent, facts, shown }) =>
      asked === id &&
      names.includes(by) &&
      sent >= since &&
      shown === 'open' &&
      (facts === undefined ? !closing.has(by) : shouldHavePreview(facts, plan.settings.preview)),
  )
  return [
    ...earlier.map(({ by }) => violation('givenIsThere', `${plan.name} was given ${id}, deleted by ${by}`)),
    ...taken.map(({ by }) => violation('givenStays', `${by} deleted ${id}, which ${plan.name} was given`)),
  ]
}

export function findNoteworthy(played: Played): string[] {
  const { world, reports } = played
  const alive = existingIds(world)
  const kept = reports.filter(({ plan, ending }) => {
    const status = ending.kind === 'succeeded' ? 'success' : 'failure'
    const isDue = createdResource(plan) !== undefined && isCleanupDue(plan.settings.cleanup, status)
    return isDue && world.ledger.createdBy(plan.name).some(id => alive.has(id))
  })
  return [
    ...(isFarBehind(world) && hasDuplicate(played) ? ['two previews at rest, answers far behind'] : []),
    ...world.ledger.pauses.map(() => 'paused'),
    ...kept.map(() => 'left by the end of a job, and named'),
  ]
}
