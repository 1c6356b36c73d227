/** Derives from the event and the inputs the work that a run of `preview` has to do. */
import { ActionError } from '#base/errors'
import type { Ahead } from '#operations/base/operation'
import type { PreviewSettings, StepSettings } from './context.ts'
import { parsePreviewBase, parsePreviewName } from './name.ts'

/** Events after which a pull request may need a preview for the first time. */
export const creatingActions = ['opened', 'reopened', 'synchronize', 'ready_for_review']

export type Call =
  | 'create-preview'
  | 'delete-preview'
  | 'prune-previews'
  /** The present state of the pull request decides whether to create or delete its preview. */
  | 'follow'
  /** Like `follow`, but such an event creates no preview. */
  | 'end at most'
  | 'nothing'

type Rules = Pick<PreviewSettings, 'labels' | 'drafts' | 'pullRequest' | 'previewName'>

function mayNeedOne(action: string, { labels, drafts }: Rules): boolean {
  if (action === 'labeled' || action === 'unlabeled') return labels !== undefined
  return creatingActions.includes(action) || (action === 'converted_to_draft' && !drafts)
}

function namedPullRequest({ previewName = '', pullRequest }: Pick<Rules, 'previewName' | 'pullRequest'>) {
  return (parsePreviewBase(previewName) ?? parsePreviewName(previewName))?.pullRequest ?? pullRequest
}

/** The pull request of a run: the one that the inputs name, otherwise that of the event. */
export const pullRequestOfRun = ({ event, settings }: Ahead<Pick<StepSettings, 'preview'>>) =>
  namedPullRequest(settings.preview) ?? event.pullRequest?.number

/** The event belongs to a pull request or a merge queue entry, but its payload does not identify it. */
export function unreadable(name: string): ActionError {
  return new ActionError(
    `the event ${name || '(none)'} has no readable payload: GITHUB_EVENT_PATH must name its JSON file`,
    'run the step on a GitHub Actions runner, or use create-preview or delete-preview with the input pull_request',
  )
}

/** The work that an event calls for. @throws ActionError without an event, or for a malformed payload */
export function callOf(event: Ahead<unknown>['event'], rules: Rules): Call {
  const { name, action, pullRequest, mergeGroup } = event
  const isOfPullRequest = name === 'pull_request' || name === 'pull_request_target'
  const named = namedPullRequest(rules)
  // The inputs may name another pull request. The event then has no bearing on it.
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

/** Whether the event may create or find a preview. A malformed event does not. */
export function mayCreatePreview({ event, settings }: Ahead<StepSettings>): boolean {
  try {
    return ['create-preview', 'follow'].includes(callOf(event, settings.preview))
  } catch {
    return false
  }
}
