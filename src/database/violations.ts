/** The findings that fail a step: exceeded limits, and unapproved loss of data. */
import { ActionError } from '#base/errors'
import { countingViolations, standingRuns } from '#contents/rehearsal/result/history'
import { isUnapprovedLoss, unapprovedLoss } from '#contents/rehearsal/result/limits'
import { type Approval, losingRuns } from '#contents/rehearsal/result/losses'
import { longestText, type MigrationRun, type Violation } from '#contents/rehearsal/result/stored'
import type { Waiting } from '#operations/base/context'

export class ViolationError extends ActionError {
  readonly violation: Violation

  /** @param where the earlier run with the violation; undefined for this run */
  constructor(violation: Violation, more: number, where?: string) {
    const { message, advice, place, limit, also } = violation
    const exceeded = also === undefined ? limit : `${limit} and ${also}`
    let other = `; or raise ${exceeded}, or write the reason to ignore it in the SQL (docs/migrations.md); then run reset-preview`
    // Loss of data has no limit to raise, and cannot be ignored.
    if (isUnapprovedLoss(violation)) other = where ? '; reset-preview recreates the preview' : ''
    super(
      `${where ? `${where}: ` : ''}${message}${more > 0 ? `; more findings: ${more}` : ''}`,
      advice + other,
    )
    if (place) this.place = { ...place, column: 1 }
    this.violation = violation
  }
}

/** Whether two violations are the same. The message of a stored one may be cut. */
const isSame = (one: Violation, other: Violation) =>
  one.limit === other.limit &&
  one.place?.line === other.place?.line &&
  one.message.slice(0, longestText) === other.message.slice(0, longestText)

/**
 * Logs the exceeded limits, each at its line if the line is known.
 * @param problem the error with which the step fails. Its own violation gets no second annotation
 */
export function logViolations({ log }: Waiting, violations: Violation[], problem: ActionError | undefined) {
  const reported = problem instanceof ViolationError ? problem.violation : undefined
  for (const violation of violations) {
    const { message, advice, place, ignored } = violation
    const line = `${place ? `${place.file}:${place.line}: ` : ''}${message}`
    const about = isUnapprovedLoss(violation) ? 'data lost' : 'limit exceeded'
    if (ignored !== undefined) log.info(`${line}; ignored because ${ignored}`)
    else if (reported && isSame(violation, reported)) log.info(line)
    else log.warning(`${line} — ${advice}`, about, place && { ...place, column: 1 })
  }
}

/** The violation of an unapproved loss of data, over all runs. */
export function createLossViolation(runs: MigrationRun[], { message, next }: Approval): Violation {
  const lost = losingRuns(runs).flatMap(({ rehearsal }) =>
    rehearsal.effects.filter(({ destructive }) => destructive),
  )
  const first = lost[0]?.message ?? 'it is unknown which data'
  return {
    limit: unapprovedLoss,
    measured: lost.length,
    allowed: 0,
    message: `data is lost (${first}${lost.length > 1 ? `, and ${lost.length - 1} more` : ''}), and ${message}`,
    advice: next ?? 'ask GitHub again later',
  }
}

/** The reason to fail the step. Runs of earlier pushes count too: an empty push must not turn a failed check green. */
export function findProblem(
  runs: MigrationRun[],
  own: MigrationRun | undefined,
  loss: Violation | undefined,
): ActionError | undefined {
  const standing = standingRuns(runs)
  // The violations of this run come first.
  const ordered = [...standing.filter(run => run === own), ...standing.filter(run => run !== own)]
  const found = ordered.flatMap(run =>
    countingViolations(run.rehearsal).map(violation => ({ run, violation })),
  )
  const all = [...(loss ? [{ run: own, violation: loss }] : []), ...found]
  const whereOf = ({ commit }: MigrationRun) =>
    `an earlier run on this preview${commit ? ` (commit ${commit.slice(0, 7)})` : ''}`
  const [first] = all
  if (first) {
    const where = first.run && first.run !== own ? whereOf(first.run) : undefined
    return new ViolationError(first.violation, all.length - 1, where)
  }
  const broken = standing.find(run => run !== own && run.rehearsal.verdict === 'failed')
  if (broken === undefined) return undefined
  const problem = `${whereOf(broken)}: ${broken.rehearsal.problem ?? 'the migration failed'}`
  return new ActionError(problem, 'correct the migration; reset-preview recreates the preview')
}

/** The error for a verdict that is uncertain, for the given reason. */
export const createDoubtError = (reason: string) =>
  new ActionError(
    `not measured: ${reason}`,
    'run `operation: reset-preview`, then rehearse all migrations again',
  )
