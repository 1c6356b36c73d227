import { ActionError } from '#base/errors'
import type { Ahead } from '#operations/base/operation'
import type { PreviewSettings, StepSettings } from './context.ts'
import { parsePreviewBase, parsePreviewName } from './name.ts'

/** Events after which a pull request may need a preview that it did not have before. */
export const making = ['opened', 'reopened', 'synchronize', 'ready_for_review']

/** What an event calls for, as known before any request to GitHub. */
export type Call =
  | 'create-preview'
  | 'delete-preview'
  | 'prune-previews'
  /** The present state of the pull request decides whether it gets a preview or loses it. */
  | 'follow'
  /** Like `follow`, except that no preview is made for such an event. */
  | 'end at most'
  | 'nothing'

type Rules = Pick<PreviewSettings, 'labels' | 'drafts' | 'pullRequest' | 'previewName'>

/** Whether the pull request may be entitled to a preview after this change. */
function mayNeedOne(action: string, { labels, drafts }: Rules): boolean {
  if (action === 'labeled' || action === 'unlabeled') return labels !== undefined
  return making.includes(action) || (action === 'converted_to_draft' && !drafts)
}

/** The pull request that the inputs name, whatever the event. */
function namedPullRequest({
  previewName,
  pullRequest,
}: Pick<PreviewSettings, 'previewName' | 'pullRequest'>): number | undefined {
  const name = previewName ?? ''
  return (parsePreviewBase(name) ?? parsePreviewName(name))?.pullRequest ?? pullRequest
}

/** The pull request that a run is about: the one that the inputs name, else that of the event, if there is any. */
export const pullRequestOfRun = ({
  event,
  settings,
}: Ahead<Pick<StepSettings, 'preview'>>): number | undefined =>
  namedPullRequest(settings.preview) ?? event.pullRequest?.number

/** The event is about a pull request or an entry of the merge queue, and does not say of which. */
export function unreadable(name: string): ActionError {
  return new ActionError(
    `the event ${name || '(none)'} has no readable payload: GITHUB_EVENT_PATH must name its JSON file`,
    'run the step on a GitHub Actions runner, or use create-preview or delete-preview with the input pull_request',
  )
}

/**
 * What an event calls for, with the inputs given.
 *
 * @throws ActionError when there is no event, or its payload cannot be read
 */
export function callOf(event: Ahead<unknown>['event'], rules: Rules): Call {
  const { name, action, pullRequest, mergeGroup } = event
  const isOfPullRequest = name === 'pull_request' || name === 'pull_request_target'
  const named = namedPullRequest(rules)
  // The inputs may name another pull request than the event does: then the event says nothing about it.
  if (named !== undefined && !(isOfPullRequest && pullRequest?.number === named)) return 'follow'
  if (name === 'schedule' || name === 'workflow_dispatch') return 'prune-previews'
  if (name === '' || ((isOfPullRequest || name === 'merge_group') && action === undefined))
    throw unreadable(name)
  if (name === 'merge_group') {
    if (mergeGroup === undefined) throw unreadable(name)
    return action === 'checks_requested' ? 'create-preview' : 'nothing'
  }
  if (!isOfPullRequest || action === undefined) return 'nothing'
  if (action === 'closed') return 'delete-preview'
  return mayNeedOne(action, rules) ? 'follow' : 'end at most'
}

/** Whether the event may make or find a preview. An unreadable one does not. */
export function mayMakePreview({ event, settings }: Ahead<StepSettings>): boolean {
  try {
    return ['create-preview', 'follow'].includes(callOf(event, settings.preview))
  } catch {
    return false
  }
}
