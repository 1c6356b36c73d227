import { ActionError } from '../client/errors.ts'
import type { Context, GivenParameters } from '../operations/context.ts'
import type { Outcome } from '../operations/outcome.ts'
import { findPreviews, identifyPreview, isEnding, type Preview } from './identity.ts'
import { removePreview, waitUntilGone } from './remove.ts'
import { report } from './report.ts'

/** Services of the preview's name are there that must not be deleted. */
export class GuardedError extends ActionError {}

interface Removed {
  deleted: string[]
  kept: { id: string; reason: string }[]
}

/** Deletes all of the name, and looks again until none is left: a run of before may be making one just now. */
async function removeAll(context: Context, preview: Preview): Promise<Removed> {
  const wait = context.settings.wait
  const deleted = new Set<string>()
  const kept = new Map<string, string>()
  for (;;) {
    const found = (await findPreviews(context, preview)).filter(
      ({ service_id }) => !deleted.has(service_id) && !kept.has(service_id),
    )
    if (found.length === 0) break
    for (const service of found) {
      const ids = { project_id: preview.projectId, service_id: service.service_id }
      if (isEnding(service)) {
        if (wait) await waitUntilGone(context, ids)
        deleted.add(service.service_id)
        continue
      }
      const removal = await removePreview(context, service, preview, { wait })
      if (removal.deleted) deleted.add(service.service_id)
      else kept.set(service.service_id, removal.reason)
    }
  }
  return { deleted: [...deleted], kept: [...kept].map(([id, reason]) => ({ id, reason })) }
}

/**
 * Whether the event says that the pull request is closed, and GitHub for certain that it is open: opened again
 * since, its preview is in use. Where GitHub cannot be asked, the event's word counts.
 */
async function isOpenAgain({ github, log, signal }: Context, { pullRequest }: Preview): Promise<boolean> {
  const { action, pullRequest: closed } = github.event
  if (action !== 'closed' || closed?.number !== pullRequest) return false
  try {
    if ((await github.readPullRequest(pullRequest)) !== 'open') return false
  } catch (failure) {
    signal.throwIfAborted()
    log.debug(
      `GitHub does not say whether pull request ${pullRequest} is open: ${(failure as Error).message}`,
    )
    return false
  }
  log.info(`pull request ${pullRequest} is open again: its preview is kept`)
  return true
}

const skip = ({ projectId, pullRequest }: Preview): Outcome => ({
  operation: 'delete-preview',
  ids: { project_id: projectId },
  pullRequest,
  skipped: `pull request ${pullRequest} is open again`,
})

/**
 * Deletes the preview of a pull request, all twins too, and waits until they are gone. Nothing there is
 * success; something there that is not surely ours is left alone and fails the step.
 */
export async function deletePreview(given: GivenParameters, context: Context): Promise<Outcome> {
  const preview = await identifyPreview(context, given)
  if (await isOpenAgain(context, preview)) return skip(preview)
  const { deleted, kept } = await removeAll(context, preview)
  if (kept.length > 0) {
    const list = kept.map(({ id, reason }) => `${id} (${reason})`).join(', ')
    throw new GuardedError(
      `${preview.name} was left alone: ${list}`,
      'check service_id, or delete it by hand with delete-service if it is no longer needed',
    )
  }
  if (deleted.length === 0) context.log.info(`there is no preview ${preview.name}`)
  const commentUrl = await report(context, preview, { state: 'deleted' })
  return {
    operation: 'delete-preview',
    ids: { project_id: preview.projectId, ...(deleted[0] && { service_id: deleted[0] }) },
    pullRequest: preview.pullRequest,
    deleted: deleted.length > 0,
    changed: deleted.length > 0,
    deletedIds: deleted,
    commentUrl,
  }
}
