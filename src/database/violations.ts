/** The findings that turn a step red: exceeded limits, and loss of data that is not approved. */
import { ActionError } from '../base/errors.ts'
import { countingViolations, standingRuns } from '../contents/rehearsal/result/history.ts'
import type { MigrationRun, Violation } from '../contents/rehearsal/result/stored.ts'
import type { PreviewContext } from '../preview/base/context.ts'
import type { Approval } from '../preview/base/github.ts'

/** Something is beyond a limit, or lost without approval, and the step is to fail then. */
export class ViolationError extends ActionError {
  readonly violation: Violation

  /** @param where the run that it was found in, where that is an earlier one */
  constructor(violation: Violation, more: number, where?: string) {
    const { limit, message, advice, place } = violation
    // Loss of data has no limit to raise, and cannot be ignored.
    const other =
      limit === 'approve_destructive'
        ? ''
        : '; or raise the limit, or say in the SQL why it may be (docs/migrations.md)'
    super(
      `${where ? `${where}: ` : ''}${message}${more > 0 ? `; and ${more} more` : ''}`,
      `${advice}${other}${where ? '; reset-preview begins anew' : ''}`,
    )
    if (place) this.place = { ...place, column: 1 }
    this.violation = violation
  }
}

/**
 * Logs the exceeded limits, each at its line where that is known.
 *
 * @param problem the error with which the step fails: it annotates its violation itself
 */
export function logViolations(
  { log }: PreviewContext,
  violations: Violation[],
  problem: ViolationError | undefined,
): void {
  for (const violation of violations) {
    const { limit, message, advice, place, ignored } = violation
    const line = `${place ? `${place.file}:${place.line}: ` : ''}${message}`
    const about = limit === 'approve_destructive' ? 'data lost' : 'limit exceeded'
    if (ignored !== undefined) log.info(`${line}; ignored because ${ignored}`)
    else if (violation === problem?.violation) log.info(line)
    else log.warning(`${line} — ${advice}`, about, place && { ...place, column: 1 })
  }
}

/** The loss of data that nobody has approved. */
export function lossViolation(runs: MigrationRun[], { message, next }: Approval): Violation {
  const lost = standingRuns(runs).flatMap(({ rehearsal }) =>
    rehearsal.effects.filter(({ destructive }) => destructive),
  )
  const first = lost[0]?.message ?? 'it is not known what'
  return {
    ...{ limit: 'approve_destructive', measured: lost.length, allowed: 0 },
    message: `data is lost (${first}${lost.length > 1 ? `, and ${lost.length - 1} more` : ''}), and ${message}`,
    advice: next ?? 'ask GitHub again later',
  }
}

/**
 * Why the step is to fail. What an earlier push did counts as well: else the next one, with nothing in it, would turn a
 * failed check into a passed one.
 */
export function findProblem(
  runs: MigrationRun[],
  own: MigrationRun | undefined,
  loss: Violation | undefined,
) {
  const standing = standingRuns(runs)
  const found = [...standing.filter(run => run === own), ...standing.filter(run => run !== own)].flatMap(
    run => countingViolations(run.rehearsal).map(violation => ({ run, violation })),
  )
  const all = [...(loss ? [{ run: own, violation: loss }] : []), ...found]
  const [first] = all
  if (first === undefined) return undefined
  const commit = first.run?.commit?.slice(0, 7)
  const where = `an earlier run on this preview${commit ? ` (commit ${commit})` : ''}`
  return new ViolationError(first.violation, all.length - 1, first.run === own ? undefined : where)
}

/** The verdict on all runs is not certain, and the step is to fail then. */
export const doubtful = (reason: string) =>
  new ViolationError(
    {
      ...{ limit: 'approve_destructive', measured: 0, allowed: 0 },
      message: `not measured: ${reason}`,
      advice: 'run `operation: reset-preview`, then rehearse all migrations again',
    },
    0,
  )
