/** The operations create-preview and reset-preview: both ensure one database, and reset-preview replaces existing ones. */
import { ActionError, withoutRequest } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import { reportQuarantine } from '#contents/quarantine/report'
import type { Waiting } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import { addTimeline } from '#operations/wait/failure-reports'
import type { PreviewContext, PullRequests, WithSettings } from '../base/context.ts'
import { identifyPreview, outcomeOf, type Preview, type PreviewOutcome } from '../base/identity.ts'
import { describeNamed } from '../base/name.ts'
import type { Origin } from '../base/origin.ts'
import { type PreviewParameters, parentProblems } from '../base/parameters.ts'
import { describeQuarantine, describeService, updateComment, withFinalComment } from '../on-github/comment.ts'
import { describeKept, readReasonAgainst, reasonByEvent } from '../on-github/reason-for-none.ts'
import { reportOvertaken } from '../prepare/migrations.ts'
import { originFor, outcomeFor } from '../reconcile/contents.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { explainLoss, renderChanges, warnOfLoss } from '../reconcile/replacement.ts'
import { Run } from '../reconcile/run.ts'
import { planChange } from './dry-run.ts'

/** Checks the parent. Not checked with the other inputs, because many events create no preview. */
function assertParentIsGiven(
  { service_id, fork_strategy = 'NOW' }: PreviewParameters,
  { settings }: WithSettings<'preview'>,
): void {
  const { empty, masked, maskFile } = settings.preview
  const [problem] = [
    ...parentProblems(service_id !== undefined, empty),
    !masked && maskFile && 'mask_file: expected masked: true too, since only masked copies have rules',
    masked &&
      service_id === undefined &&
      'masked: expected service_id too, since its masked copies are the parents',
    masked &&
      fork_strategy !== 'NOW' &&
      `fork_strategy: expected NOW or nothing with masked: true, got ${fork_strategy}: a snapshot may be older than the masking`,
  ].filter(text => typeof text === 'string')
  if (problem !== undefined)
    throw new ActionError(problem, 'correct the inputs of the step; nothing was created')
}

function skip(context: Waiting, preview: Preview, reason: string): PreviewOutcome {
  context.log.info(`${reason}: no preview is created for it`)
  return { ...outcomeOf(preview, undefined), skipped: reason }
}

/** Publishes the databases that a failed reset has deleted, for later steps. */
function publishReplaced({ context, observer, preview, deleted }: Run, commentUrl: string | undefined): void {
  if (deleted.replaced.length === 0) return
  context.journal.publish({
    ...outcomeOf(preview, observer.created),
    operation: 'reset-preview',
    deletedIds: deleted.replaced,
    deleted: true,
    changed: true,
    commentUrl,
  })
}

async function reportFailure(
  context: PullRequests & WithSettings<'dryRun'>,
  run: Run,
  failure: unknown,
): Promise<string | undefined> {
  const { observer, preview } = run
  const { created } = observer
  return await updateComment(context, preview, {
    state: 'failed',
    serviceId: created?.service_id,
    createdAt: created?.created,
    problem: withoutRequest(messageOf(failure)),
    next: failure instanceof ActionError ? failure.next : undefined,
  })
}

/** Reports the failure in the comment, outputs and log, and throws it. A cancellation meanwhile replaces it. */
async function reportAndThrow(run: Run, failure: unknown): Promise<never> {
  const { context } = run
  let commentUrl: string | undefined
  let thrown = explainLoss(run, failure)
  try {
    if (!context.signal.aborted) {
      addTimeline(thrown, context)
      commentUrl = await reportFailure(context, run, thrown)
    }
  } catch (cancellation) {
    thrown = cancellation
  }
  publishReplaced(run, commentUrl)
  warnOfLoss(run, thrown)
  throw thrown
}

/** Deletes a preview whose pull request was closed, or lost its label, during its creation. */
async function finishWithout({ context, observer, preview, deleted }: Run, reason: string) {
  if (observer.refusal === undefined) return skip(context, preview, reason)
  if (observer.services.length === 0) await updateComment(context, preview, { state: 'deleted' })
  return {
    ...skip(context, preview, reason),
    deleted: deleted.refused.length > 0,
    changed: true,
    deletedIds: deleted.refused,
  }
}

/** Everyone can open a pull request in a public repository, and its code may read the preview. */
function warnOfPublicData({ event, log }: PullRequests, { data, maskedAt }: Origin): void {
  if (event.isPublic && data !== 'empty' && maskedAt === undefined)
    log.warning(
      'the repository is public, and the preview is a fork that is neither masked nor empty — use masked: true with create-masked-parent, or empty: true',
      'public repository',
    )
}

async function publish(run: Run, id: string): Promise<PreviewOutcome> {
  const { context, observer, preview, resetReason } = run
  const quarantine = observer.knowledgeOf(id).finished?.state?.quarantine?.report
  const origin = originFor(run, id)
  if (!observer.isCreatedHere(id))
    context.log.info(`kept the existing preview: ${describeNamed(observer.record(id))}`)
  warnOfPublicData(context, origin)
  const commentUrl = await updateComment(context, preview, {
    state: 'ready',
    ...describeService(observer.record(id), context),
    ...origin,
    ...(quarantine && describeQuarantine(quarantine)),
    facts: [
      ...(resetReason === undefined ? [] : [{ label: 'Reset', text: resetReason }]),
      ...(await reportOvertaken(context, preview)),
    ],
  })
  return { ...outcomeFor(run, id, origin), commentUrl, report: reportQuarantine(quarantine), resetReason }
}

/** The outcome of a reset: the replaced databases, and the consequences for other jobs. */
function describeReset({ context, replaced, deleted }: Run, outcome: PreviewOutcome): PreviewOutcome {
  const deletedIds = [...deleted.replaced, ...deleted.refused]
  const isDeleted = outcome.deleted === true || deletedIds.length > 0
  if (outcome.skipped === undefined) context.log.info(renderChanges(replaced[0], outcome.record))
  return {
    ...outcome,
    operation: 'reset-preview',
    deleted: isDeleted,
    changed: outcome.changed === true || isDeleted,
    deletedIds,
  }
}

/**
 * Creates the preview of a pull request: one database, READY, quarantined and filled, with a derived password.
 * Idempotent. A database that no longer fits the migrations (`reset_on`) is replaced.
 */
export async function ensurePreview(
  given: PreviewParameters,
  context: PreviewContext,
  isReset = false,
): Promise<Outcome> {
  assertParentIsGiven(given, context)
  const seeds = await context.readSeeds()
  const preview = await identifyPreview(context, given)
  const reason = await readReasonAgainst(context, preview, reasonByEvent(context, preview))
  /** Why the preview is kept after all, for example because the pull request was reopened meanwhile. */
  const reasonToStay = async () =>
    (await readReasonAgainst(context, preview)) === undefined ? describeKept(preview) : undefined
  const inputs = { given, seeds, reasonToStay }
  const run = new Run(context, preview, { databases: 'one', replaces: isReset }, inputs)
  const finish = (outcome: PreviewOutcome) => (run.desired.replaces ? describeReset(run, outcome) : outcome)
  if (reason !== undefined) return finish(skip(context, preview, reason))
  if (context.settings.dryRun) return finish(await planChange(run))
  const work = async () => {
    try {
      const last = await reconcile(run)
      return last.do === 'publish' ? await publish(run, last.id) : await finishWithout(run, last.reason)
    } catch (failure) {
      return await reportAndThrow(run, failure)
    }
  }
  const outcome = await withFinalComment(context, work, async (final, cancellation) => {
    // Otherwise the comment shows an earlier database, which is unchanged.
    if (run.isCreating || run.deleted.replaced.length > 0) await reportFailure(final, run, cancellation)
  })
  return finish(outcome)
}

/** Replaces the preview: fresh data, new id, address and password. If the reset is killed, the next run repairs it. */
export async function resetPreview(given: PreviewParameters, context: PreviewContext): Promise<Outcome> {
  return await ensurePreview(given, context, true)
}
