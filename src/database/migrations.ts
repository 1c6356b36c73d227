import { createHash } from 'node:crypto'
import { ActionError, messageOf, renderAdvised } from '../base/errors.ts'
import {
  capRun,
  countingViolations,
  type MigrationRun,
  type MigrationsSum,
  standingRuns,
  sumUp,
} from '../contents/rehearsal/result/history.ts'
import type { Rehearsal, Violation } from '../contents/rehearsal/result/rehearsal.ts'
import type { MigrationsReport } from '../contents/rehearsal/result/render-migrations.ts'
import type { Session } from '../postgres/session.ts'
import type { PreviewContext } from '../preview/base/context.ts'
import type { Approval, ShownMigrations } from '../preview/base/github.ts'
import { tellSilence } from '../preview/base/github-failure.ts'
import { namePreview } from '../preview/base/identity.ts'
import { type FileHashes, keepRun, readRuns } from './kept-runs.ts'
import type { Target } from './target.ts'

/** Milliseconds for connecting, and bytes of all answers: what is kept has a limit. */
const limits = { timeout: 10_000, mostBytes: 1024 * 1024 }

/** Something is beyond a limit, or lost without approval, and the step is to fail then. */
export class ViolationError extends ActionError {
  /** @param where what it was found in, where that is not this very run */
  constructor({ limit, message, advice, place }: Violation, more: number, where?: string) {
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
  }
}

/** Says in the log which limits were exceeded, each at its line where that is known. */
export function logViolations({ log }: PreviewContext, violations: Violation[]): void {
  for (const { limit, message, advice, place, ignored } of violations) {
    const told = `${place ? `${place.file}:${place.line}: ` : ''}${message}`
    const about = limit === 'approve_destructive' ? 'data lost' : 'limit exceeded'
    if (ignored === undefined) log.warning(`${told} — ${advice}`, about, place && { ...place, column: 1 })
    else log.info(`${told}; ignored because ${ignored}`)
  }
}

/** What is said of the migrations of a database, over all runs that count. */
export interface Told {
  /** Undefined where nothing was run. */
  sum: MigrationsSum | undefined
  /** The loss of data that nobody has approved, where this run is a part of it. */
  ownLoss: Violation | undefined
  approval: Approval | undefined
  commentUrl: string | undefined
  /** Where the step is to fail. */
  problem: ViolationError | undefined
}

/** The preview whose comment is to tell of this; undefined where no pull request is known. */
function findPreview(context: PreviewContext): { pullRequest: number; base: string } | undefined {
  try {
    const { pullRequest, base } = namePreview(context)
    return pullRequest === undefined ? undefined : { pullRequest, base }
  } catch (failure) {
    context.log.debug(`no comment: ${messageOf(failure)}`)
    return undefined
  }
}

/** Stands for all that is lost: an approval of it holds for nothing else. */
function hashLoss(runs: MigrationRun[]): string | undefined {
  const hashes = standingRuns(runs).flatMap(({ rehearsal }) =>
    rehearsal.destructive ? [rehearsal.migrationHash] : [],
  )
  return hashes.length === 0 ? undefined : createHash('sha256').update(hashes.join()).digest('hex')
}

/** Whether the loss was approved. Where GitHub does not say so, it was not. */
async function askApproval(context: PreviewContext, label: string, hash: string): Promise<Approval> {
  const preview = findPreview(context)
  if (preview === undefined)
    return {
      isApproved: false,
      message: `approve_destructive asks for the label ${label}, and no pull request is known`,
      next: 'run the step on pull_request events, or set pull_request',
    }
  const { pullRequest, base } = preview
  try {
    return await context.github.readApproval({ pullRequest, preview: base, label, hash })
  } catch (failure) {
    context.signal.throwIfAborted()
    return {
      isApproved: false,
      message: `whether the label ${label} approves it is not known: ${messageOf(failure)}`,
      ...(failure instanceof ActionError && { next: failure.next }),
    }
  }
}

async function writeComment(context: PreviewContext, report: ShownMigrations): Promise<string | undefined> {
  const preview = context.settings.preview.comment ? findPreview(context) : undefined
  if (preview === undefined) return undefined
  const { pullRequest, base } = preview
  try {
    return await context.github.writeMigrations(pullRequest, base, report)
  } catch (failure) {
    tellSilence(context, `the comment on pull request ${pullRequest} does not tell of the migration`, failure)
    return undefined
  }
}

/** What earlier runs measured, with this one where it is new; without what is kept where that cannot be read or written. */
async function remember(
  { withSession, log, signal }: PreviewContext,
  { connection, ids }: Target,
  run: MigrationRun | undefined,
  files: FileHashes = {},
): Promise<MigrationRun[]> {
  const use = (session: Session) =>
    run === undefined
      ? readRuns(session, ids.service_id)
      : keepRun(session, run, { serviceId: ids.service_id, files })
  let runs: MigrationRun[] = []
  try {
    await withSession(connection, limits, async session => {
      runs = await use(session)
    })
    return runs
  } catch (failure) {
    signal.throwIfAborted()
    log.warning(
      `what was measured on this database is not kept for later runs: ${renderAdvised(failure)}`,
      'verdict not kept',
    )
    return run === undefined ? [] : [capRun(run)]
  }
}

/** Whether a run found nothing to do, so that it says nothing of the database. */
const isIdle = ({ verdict, statements }: Rehearsal) => verdict === 'passed' && statements.length === 0

/** The loss of data that nobody has approved. */
function lossViolation(runs: MigrationRun[], { message, next }: Approval): Violation {
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
function findProblem(runs: MigrationRun[], own: MigrationRun | undefined, loss: Violation | undefined) {
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

/** @param own what this run has found, which is part of `runs` */
async function tell(
  context: PreviewContext,
  runs: MigrationRun[],
  { diff, own }: { diff: MigrationsReport['diff']; own: MigrationRun | undefined },
): Promise<Told> {
  const { approveDestructive: label, onViolation } = context.settings.rehearsal
  const lossHash = label === undefined ? undefined : hashLoss(runs)
  const approval =
    label === undefined || lossHash === undefined ? undefined : await askApproval(context, label, lossHash)
  const commentUrl = await writeComment(context, { runs, diff, approval, lossHash })
  const loss = approval?.isApproved === false ? lossViolation(runs, approval) : undefined
  const sum = sumUp(runs)
  const withLoss = loss ? { ...sum, verdict: 'failed' as const, violations: [loss, ...sum.violations] } : sum
  return {
    sum: runs.length > 0 ? withLoss : undefined,
    ownLoss: own?.rehearsal.destructive ? loss : undefined,
    ...{ approval, commentUrl },
    problem: onViolation === 'fail' ? findProblem(runs, own, loss) : undefined,
  }
}

/** Keeps what a run measured in the database, and writes the section on migrations into the comment of the preview. */
export async function tellRehearsal(
  context: PreviewContext,
  target: Target,
  rehearsal: Rehearsal,
  { diff, files }: { diff?: MigrationsReport['diff']; files?: FileHashes } = {},
): Promise<Told> {
  const { event, seam } = context
  const run = { at: seam.date(), commit: event.pullRequest?.commit, url: event.runUrl, rehearsal, omitted: 0 }
  const before = isIdle(rehearsal) ? await remember(context, target, undefined) : []
  if (before.length > 0) return await tell(context, before, { diff, own: undefined })
  const runs = await remember(context, target, run, files)
  return await tell(context, runs, { diff, own: runs.at(-1) })
}

/** Writes the section on migrations into the comment of the preview, from what earlier runs kept in it; nothing where there is nothing to tell. */
export async function tellDiff(
  context: PreviewContext,
  target: Target,
  diff: MigrationsReport['diff'],
): Promise<Told> {
  const runs = await remember(context, target, undefined)
  if (runs.length > 0 || diff) return await tell(context, runs, { diff, own: undefined })
  return {
    sum: undefined,
    ownLoss: undefined,
    approval: undefined,
    commentUrl: undefined,
    problem: undefined,
  }
}
