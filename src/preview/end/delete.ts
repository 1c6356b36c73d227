import { isEnding } from '../../api/service-states.ts'
import { ActionError, renderAdvised } from '../../base/errors.ts'
import type { Outcome } from '../../operations/base/outcome.ts'
import type { PreviewContext } from '../base/context.ts'
import type { PullRequestState } from '../base/github.ts'
import { findPreviews, identifyPreview, type Preview } from '../base/identity.ts'
import { describeNamed } from '../base/name.ts'
import type { PreviewParameters } from '../base/parameters.ts'
import { askGitHub } from '../on-github/ask-github.ts'
import { report } from '../on-github/report.ts'
import { removePreview, waitUntilGone } from './remove.ts'

const openAgain = (pullRequest: number) => `pull request ${pullRequest} is open again`

const leftAlone = ({ base }: Preview, kept: Removed['kept']) =>
  new ActionError(
    `${base} was left alone: ${kept.map(({ id, reason }) => `${id} (${reason})`).join(', ')}`,
    'check service_id: without it, or with masked: true for previews of masked copies, delete-preview does not check the parent; or delete it by hand with delete-service if it is no longer needed',
  )

const wouldDelete = (foreseen: string[]) => `would delete ${foreseen.join(', ')}`

type ReasonToStay = () => Promise<string | undefined>

interface Removed {
  deleted: string[]
  /** In a dry run: what would be deleted, with names. */
  foreseen: string[]
  kept: { id: string; reason: string }[]
}

/** Asks in both ways that GitHub has: a trouble of one need not be one of the other. */
async function readState(context: PreviewContext, number: number): Promise<PullRequestState | undefined> {
  try {
    return (await askGitHub(context, github => github.readPullRequest(number))).state
  } catch {
    context.signal.throwIfAborted()
    return (await askGitHub(context, github => github.readPullRequests([number]))).get(number)?.state
  }
}

/**
 * Asks why the preview is to be kept after all: the event says that the pull request was closed, but GitHub says that it
 * is open. It was reopened since, so its preview is in use. If GitHub falls silent, its last answer counts; if it has
 * given none, the event does.
 */
function askWhetherToStay(context: PreviewContext, { pullRequest }: Preview): ReasonToStay {
  const { action, pullRequest: closed } = context.event
  let last: PullRequestState | undefined
  return async () => {
    if (pullRequest === undefined || action !== 'closed' || closed?.number !== pullRequest) return undefined
    try {
      last = await readState(context, pullRequest)
    } catch (failure) {
      context.signal.throwIfAborted()
      context.log.debug(
        `GitHub does not say whether pull request ${pullRequest} is open: ${renderAdvised(failure)}`,
      )
    }
    return last === 'open' ? openAgain(pullRequest) : undefined
  }
}

const skip = ({ projectId, pullRequest }: Preview, skipped: string): Outcome => ({
  operation: 'delete-preview',
  ids: { project_id: projectId },
  pullRequest,
  skipped,
})

/**
 * Deletes all services of the preview's name, and looks again until none is left: an earlier run may still be making
 * one. Before each deletion it asks once more whether the preview is to stay.
 */
async function removeAll(
  context: PreviewContext,
  preview: Preview,
  reasonNow: ReasonToStay,
): Promise<Removed> {
  const { wait, dryRun } = context.settings
  const deleted = new Set<string>()
  const foreseen = new Map<string, string>()
  const kept = new Map<string, string>()
  for (;;) {
    const found = (await findPreviews(context, preview)).filter(
      ({ service_id }) => ![deleted, foreseen, kept].some(known => known.has(service_id)),
    )
    if (found.length === 0) break
    for (const service of found) {
      const ids = { project_id: preview.projectId, service_id: service.service_id }
      if (isEnding(service)) {
        if (wait && !dryRun) await waitUntilGone(context, ids)
        deleted.add(service.service_id)
        continue
      }
      const removal = await removePreview(context, service, preview, { wait, reasonNow })
      if (removal.deleted) deleted.add(service.service_id)
      else if (removal.isDryRun) foreseen.set(service.service_id, describeNamed(service))
      else kept.set(service.service_id, removal.reason)
    }
  }
  return {
    deleted: [...deleted],
    foreseen: [...foreseen.values()],
    kept: [...kept].map(([id, reason]) => ({ id, reason })),
  }
}

/** What a dry run says about a deletion. */
async function foresee(context: PreviewContext, preview: Preview, foreseen: string[]): Promise<Outcome> {
  await report(context, preview, { state: 'deleted' })
  const what = foreseen.length > 0 ? wouldDelete(foreseen) : `there is no preview ${preview.base} to delete`
  return skip(preview, `dry run: ${what}`)
}

/**
 * Deletes a preview with all its twins, and waits until they are gone. If there is none, that is success. A service
 * that is not certainly ours is left alone, and the step fails.
 *
 * @param reasonToStay asked before each deletion: why the preview is to be kept after all
 */
export async function endPreview(
  context: PreviewContext,
  preview: Preview,
  reasonToStay: ReasonToStay,
): Promise<Outcome> {
  const reasons = new Set<string>()
  const { deleted, foreseen, kept } = await removeAll(context, preview, async () => {
    const reason = await reasonToStay()
    if (reason !== undefined) reasons.add(reason)
    return reason
  })
  const outcome: Outcome = {
    operation: 'delete-preview',
    ids: { project_id: preview.projectId, ...(deleted[0] && { service_id: deleted[0] }) },
    pullRequest: preview.pullRequest,
    deleted: deleted.length > 0,
    changed: deleted.length > 0,
    deletedIds: deleted,
  }
  if (kept.length > 0) {
    if (foreseen.length > 0) context.log.info(wouldDelete(foreseen))
    if (kept.every(({ reason }) => reasons.has(reason))) return { ...outcome, skipped: kept[0]?.reason }
    throw leftAlone(preview, kept)
  }
  if (context.settings.dryRun) return await foresee(context, preview, foreseen)
  if (deleted.length === 0) context.log.info(`there is no preview ${preview.base}`)
  return { ...outcome, commentUrl: await report(context, preview, { state: 'deleted' }) }
}

/** Deletes the preview of the pull request (or merge queue entry) that the event or the inputs name. */
export async function deletePreview(given: PreviewParameters, context: PreviewContext): Promise<Outcome> {
  const preview = await identifyPreview(context, given)
  const reasonToStay = askWhetherToStay(context, preview)
  const reason = await reasonToStay()
  if (reason !== undefined) {
    context.log.info(`${reason}: its preview is kept`)
    return skip(preview, reason)
  }
  return await endPreview(context, preview, reasonToStay)
}
