/** Stores the run of a migration in its preview, and writes the verdict on all runs into the comment. */
import { ActionError, renderAdvised } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import { type History, type Noted, readHistory, storeRun } from '#contents/notes/migration-history'
import { restoreNotes } from '#contents/notes/restore-notes'
import { addRun } from '#contents/rehearsal/result/add-run'
import { type MigrationsSum, standingRuns, sumUp } from '#contents/rehearsal/result/history'
import { type Approval, hashLosses } from '#contents/rehearsal/result/losses'
import { type MigrationsReport, reportMigrations } from '#contents/rehearsal/result/report'
import { isChange } from '#contents/rehearsal/result/statement-text'
import type { FileHashes, MigrationRun, Rehearsal, Violation } from '#contents/rehearsal/result/stored'
import type { Databases } from '#operations/base/context'
import type { Session } from '#postgres/session'
import type { PullRequests } from '#preview/base/context'
import type { ShownMigrations } from '#preview/base/github'
import { reportGitHubFailure } from '#preview/base/github-failure'
import type { WithSettings } from './context.ts'
import { findDoubt, readLossToShow } from './doubt.ts'
import { type CommentedPreview, type Facts, noteLimits, warnOfRestored } from './notes.ts'
import type { Target } from './target.ts'
import { createDoubtError, createLossViolation, findProblem } from './violations.ts'

/** The verdict on the migrations of a database, over all runs that count. */
export interface Conclusion {
  sum?: MigrationsSum | undefined
  /** The violation of an unapproved loss of data, if this run caused a part of it. */
  ownLoss?: Violation | undefined
  commentUrl?: string | undefined
  problem?: ActionError | undefined
}

/** Reads whether the loss is approved. Without an answer from GitHub, it is not. */
async function askApproval(
  context: PullRequests,
  preview: CommentedPreview | undefined,
  { label, hash }: { label: string; hash: string },
): Promise<Approval> {
  if (preview === undefined)
    return {
      isApproved: false,
      message: `approve_destructive requires the label ${label}, but no pull request is known`,
      next: 'run the step on pull_request events, or set pull_request',
    }
  const { pullRequest, base } = preview
  try {
    return await context.github.readApproval({ pullRequest, preview: base, label, hash })
  } catch (failure) {
    context.signal.throwIfAborted()
    return {
      isApproved: false,
      message: `it is unknown whether the label ${label} approves it: ${messageOf(failure)}`,
      ...(failure instanceof ActionError && {
        next: `${failure.next}; set the label after the comment shows this loss`,
      }),
    }
  }
}

async function writeComment(
  context: PullRequests,
  preview: CommentedPreview | undefined,
  report: ShownMigrations,
): Promise<string | undefined> {
  if (preview === undefined || !context.settings.preview.comment) return undefined
  const { pullRequest, base } = preview
  try {
    return await context.github.writeMigrations(pullRequest, base, report)
  } catch (failure) {
    const problem = `the comment on pull request ${pullRequest} does not report the migration`
    reportGitHubFailure(context, problem, failure)
    return undefined
  }
}

/** Adds a run, if there is one, to the history in the database. Returns the history; unreadable if storing failed. */
async function updateHistory(
  context: Databases,
  { connection, ids }: Target,
  run: MigrationRun | undefined,
  { noted, files = {} }: { noted: Noted; files?: FileHashes | undefined },
): Promise<History> {
  const { log, signal } = context
  const serviceId = ids.service_id
  const store = (session: Session) =>
    run === undefined ? readHistory(session, serviceId) : storeRun(session, run, { serviceId, files })
  try {
    return await context.timeline.time('storing the result in the database', () =>
      context.withSession(connection, noteLimits, async session => {
        warnOfRestored(log, await restoreNotes(session, noted.notes))
        return await store(session)
      }),
    )
  } catch (failure) {
    signal.throwIfAborted()
    const reason = renderAdvised(failure)
    log.warning(`the history of migrations in the database is not updated: ${reason}`, 'verdict not stored')
    const runs = run === undefined ? noted.history.runs : addRun(noted.history.runs, run)
    return noted.preview ? { runs, files, unreadable: reason } : { runs, files }
  }
}

/** Whether a run did nothing, and replaces no failed run before it. Such a run is not stored. */
function isIdle(run: MigrationRun, { noted: { history }, files = {} }: { noted: Noted; files?: FileHashes }) {
  const { verdict, statements, effects } = run.rehearsal
  if (verdict !== 'passed' || effects.length > 0 || statements.some(isChange)) return false
  if (Object.keys(files).length > 0) return false
  const before = standingRuns(history.runs)
  const after = standingRuns(addRun(history.runs, run))
  return history.runs.length > 0 && after.length === before.length + 1
}

type FactsAndDiff = Facts & Pick<MigrationsReport, 'diff'>

/** Reaches the verdict over all runs, and writes it into the comment. @param own the stored run of this step */
async function conclude(
  context: PullRequests & WithSettings<'rehearsal'>,
  history: History,
  facts: FactsAndDiff & { own: MigrationRun | undefined; doubt: string | undefined },
): Promise<Conclusion> {
  const { diff, preview, own, doubt } = facts
  const { approveDestructive: label, onViolation } = context.settings.rehearsal
  const { runs } = history
  const { runUrl, explanation } = context.event
  const hash = hashLosses(runs).at(-1)
  const approval = label && hash ? await askApproval(context, preview, { label, hash }) : undefined
  // If the history contradicts the comment, the step leaves the comment as it is.
  let commentUrl: string | undefined
  if (doubt === undefined) {
    const blocks = reportMigrations({ runs, diff, approval, runUrl, explanation })
    const loss = await readLossToShow(context, facts, runs)
    commentUrl = await writeComment(context, preview, { blocks, loss })
  } else context.log.warning(`not measured: ${doubt}`, 'not measured')
  const lossViolation = approval?.isApproved === false ? createLossViolation(runs, approval) : undefined
  const sum = sumUp(runs)
  if (lossViolation) {
    sum.violations.unshift(lossViolation)
    sum.verdict = 'failed'
  } else if (doubt !== undefined && sum.verdict !== 'failed') sum.verdict = 'not measured'
  const problem =
    findProblem(runs, own, lossViolation) ?? (doubt === undefined ? undefined : createDoubtError(doubt))
  return {
    sum: runs.length > 0 || doubt !== undefined ? sum : undefined,
    ownLoss: own?.rehearsal.destructive ? lossViolation : undefined,
    commentUrl,
    problem: onViolation === 'fail' ? problem : undefined,
  }
}

/** Stores the run of this step in the database, and writes the section on migrations into the comment. */
export async function concludeRehearsal(
  context: Databases & PullRequests & WithSettings<'rehearsal'>,
  target: Target,
  rehearsal: Rehearsal,
  given: FactsAndDiff & { files?: FileHashes },
): Promise<Conclusion> {
  const { event, seam } = context
  const { noted, files } = given
  const run = { at: seam.date(), commit: event.pullRequest?.commit, url: event.runUrl, rehearsal, omitted: 0 }
  const isIdleRun = isIdle(run, given)
  const history = await updateHistory(context, target, isIdleRun ? undefined : run, { noted, files })
  const own = isIdleRun ? undefined : history.runs.at(-1)
  const doubt = await findDoubt(context, given, history)
  return await conclude(context, history, { ...given, own, doubt })
}

/** If a violation must fail the step, a history without a valid note is unreadable: the note may have been deleted. */
const requireNote = ({ settings }: WithSettings<'rehearsal'>, { preview, history }: Noted): History =>
  settings.rehearsal.onViolation === 'fail' && preview === undefined
    ? { ...history, unreadable: 'the database holds no valid note of a preview' }
    : history

/** Writes the section on migrations into the comment of the preview, from the stored runs, if there are any. */
export async function concludeDiff(
  context: PullRequests & WithSettings<'rehearsal'>,
  given: FactsAndDiff,
): Promise<Conclusion> {
  const history = requireNote(context, given.noted)
  const doubt = await findDoubt(context, given, history)
  return history.runs.length > 0 || doubt !== undefined || given.diff
    ? await conclude(context, history, { ...given, own: undefined, doubt })
    : {}
}
