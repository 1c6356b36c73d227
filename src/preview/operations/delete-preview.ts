/** The operation delete-preview: deletes a preview with all its duplicates. */
import { ActionError, renderAdvised } from '#base/errors'
import type { Outcome } from '#operations/base/outcome'
import { outlastOutage } from '#operations/cleanup/request-deletion'
import type { PreviewContext, Previews, PullRequests } from '../base/context.ts'
import type { PullRequestState } from '../base/github.ts'
import { identifyPreview, type Preview } from '../base/identity.ts'
import type { PreviewParameters } from '../base/parameters.ts'
import { updateComment } from '../on-github/comment.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { type ReasonToStay, Run } from '../reconcile/run.ts'

const notDeletedError = ({ base }: Preview, kept: Run['kept']) =>
  new ActionError(
    `${base} was not deleted: ${kept.map(({ id, reason }) => `${id} (${reason})`).join(', ')}`,
    'check service_id, and set masked: true for a preview of a masked copy; or delete the service with delete-service',
  )

const wouldDelete = (planned: string[]) => `would delete ${planned.join(', ')}`

/**
 * Why the preview is kept after all: the event reports a closed pull request, but GitHub an open one. If GitHub stops
 * answering, its last answer counts; without one, the event counts.
 */
function askWhetherToStay(context: PullRequests, { pullRequest }: Preview): ReasonToStay {
  const { action, pullRequest: closed } = context.event
  let last: PullRequestState | undefined
  return async () => {
    if (pullRequest === undefined || action !== 'closed' || closed?.number !== pullRequest) return undefined
    try {
      last = (await context.github.readPullRequest(pullRequest)).state
    } catch (failure) {
      context.signal.throwIfAborted()
      context.log.debug(
        `it is unknown whether pull request ${pullRequest} is open: ${renderAdvised(failure)}`,
      )
    }
    return last === 'open' ? `pull request ${pullRequest} is open again` : undefined
  }
}

const skip = ({ projectId, pullRequest }: Preview, skipped: string): Outcome => ({
  operation: 'delete-preview',
  ids: { project_id: projectId },
  pullRequest,
  skipped,
})

/**
 * Deletes a preview with all its duplicates, and waits until they are gone. No preview is a success. A service that is
 * not certainly owned by this repository is kept, and the step fails.
 */
export async function deleteUnlessKept(
  context: Previews,
  preview: Preview,
  reasonToStay: ReasonToStay,
): Promise<Outcome> {
  const run = new Run(context, preview, { databases: 'none' }, { reasonToStay })
  await outlastOutage(context, async () => {
    try {
      await reconcile(run)
    } catch (failure) {
      run.observer.outdateList()
      throw failure
    }
  })
  const { planned, kept } = run
  const deleted = run.deleted.refused
  const [service_id] = deleted
  const outcome: Outcome = {
    operation: 'delete-preview',
    ids: { project_id: preview.projectId, ...(service_id !== undefined && { service_id }) },
    pullRequest: preview.pullRequest,
    deleted: deleted.length > 0,
    changed: deleted.length > 0,
    deletedIds: deleted,
  }
  if (kept.length > 0) {
    if (planned.length > 0) context.log.info(wouldDelete(planned))
    if (kept.some(({ isGuarded }) => isGuarded)) throw notDeletedError(preview, kept)
    return { ...outcome, skipped: kept[0]?.reason }
  }
  const commentUrl = await updateComment(context, preview, { state: 'deleted' })
  const none = `there is no preview ${preview.base}`
  if (context.settings.dryRun)
    return skip(preview, `dry run: ${planned.length > 0 ? wouldDelete(planned) : `${none} to delete`}`)
  return { ...outcome, commentUrl, done: deleted.length > 0 ? `deleted ${deleted.join(', ')}` : none }
}

export async function deletePreview(given: PreviewParameters, context: PreviewContext): Promise<Outcome> {
  const preview = await outlastOutage(context, () => identifyPreview(context, given))
  const reasonToStay = askWhetherToStay(context, preview)
  const reason = await reasonToStay()
  if (reason !== undefined) {
    context.log.info(`${reason}: its preview is kept`)
    return skip(preview, reason)
  }
  return await deleteUnlessKept(context, preview, reasonToStay)
}
