import { livingPreviews, type Violation } from './invariants.ts'
import type { JobReport } from './job.ts'
import type { Story } from './stories.ts'
import type { World } from './world.ts'

const violation = (invariant: string, detail: string): Violation => ({ invariant, detail })

/** Less time than a lost request may take to be processed: a run that has no more only warns of a second database. */
const tooShort = 3 * 60_000

const hasSucceeded = ({ ending, plan }: JobReport) =>
  ending.kind === 'succeeded' && (plan.operation !== 'create-preview' || plan.patience > tooShort)

/** The databases that the runs gave; a run for a closed pull request gives none. */
function idsOf(reports: JobReport[]): (string | undefined)[] {
  return reports.flatMap(({ ending, plan }) =>
    ending.kind === 'succeeded' && plan.operation === 'create-preview' && ending.outcome.skipped === undefined
      ? [ending.outcome.ids.service_id]
      : [],
  )
}

/**
 * The promises about the runs of one pull request, once all of them are over: on a clear day all succeed; where every
 * one succeeded, there is one database at most, and all runs gave the same.
 */
export function checkRest(world: World, story: Story, reports: JobReport[]): Violation[] {
  const isCalm = reports.every(
    ({ plan }) => plan.weather.isCalm && plan.fate === undefined && plan.patience > tooShort,
  )
  const failed = reports.filter(({ ending }) => ending.kind !== 'succeeded')
  if (story.mustSucceed && isCalm && failed.length > 0)
    return [violation('all runs succeed on a clear day', failed.map(({ plan }) => plan.name).join())]
  const given = idsOf(reports)
  if (given.length === 0 || !reports.every(hasSucceeded)) return []
  const left = livingPreviews(world, story).map(({ service_id }) => service_id)
  if (left.length > 1) return [violation('never two databases for one pull request', left.join())]
  if (given.length === reports.length && new Set(given).size > 1)
    return [violation('all runs of a pull request give the same database', given.join())]
  return []
}

/** After delete-preview and one prune on a clear day, nothing of ours is left. */
export function checkFinale(world: World, story: Story): Violation[] {
  return livingPreviews(world, story).map(({ service_id, status }) =>
    violation('nothing is left after delete-preview and prune', `${service_id} is ${status}`),
  )
}
