/** Chooses the work of a run of `preview` by its event and inputs. */
import { ActionError } from '#base/errors'
import type { EventAndSettings } from '#operations/base/operation'
import type { PreviewSettings, StepSettings } from './context.ts'
import { parseGivenName } from './name.ts'

/** Events after which a pull request may need a preview for the first time. */
export const creatingActions = ['opened', 'reopened', 'synchronize', 'ready_for_review']

export type Work =
  | 'create-preview'
  | 'delete-preview'
  | 'prune-previews'
  /** The present state of the pull request decides whether to create or delete its preview. */
  | 'follow'
  /** Like `follow`, but such an event creates no preview. */
  | 'delete at most'
  | 'nothing'

type Rules = Pick<PreviewSettings, 'labels' | 'drafts' | 'pullRequest' | 'previewName'>

function mayNeedPreview(action: string, { labels, drafts }: Rules): boolean {
  if (action === 'labeled' || action === 'unlabeled') return labels !== undefined
  return creatingActions.includes(action) || (action === 'converted_to_draft' && !drafts)
}

function namedPullRequest({ previewName = '', pullRequest }: Pick<Rules, 'previewName' | 'pullRequest'>) {
  return parseGivenName(previewName)?.pullRequest ?? pullRequest
}

/** The pull request of a run: the one that the inputs name, otherwise that of the event. */
export const pullRequestOfRun = ({ event, settings }: EventAndSettings<Pick<StepSettings, 'preview'>>) =>
  namedPullRequest(settings.preview) ?? event.pullRequest?.number

/** The error for an event of a pull request or a merge queue entry whose payload does not identify it. */
export function unreadableEventError(name: string): ActionError {
  return new ActionError(
    `the event ${name || '(none)'} has no readable payload: GITHUB_EVENT_PATH must name its JSON file`,
    'run the step on a GitHub Actions runner, or use create-preview or delete-preview with the input pull_request',
  )
}

/** The work that an event calls for. @throws ActionError without an event, or for a malformed payload */
export function chooseWork(event: EventAndSettings<unknown>['event'], rules: Rules): Work {
  const { name, action, pullRequest, mergeGroup } = event
  const isOfPullRequest = name === 'pull_request' || name === 'pull_request_target'
  const named = namedPullRequest(rules)
  // If the inputs name another pull request, the event does not describe its state.
  if (named !== undefined && !(isOfPullRequest && pullRequest?.number === named)) return 'follow'
  if (name === 'schedule' || name === 'workflow_dispatch') return 'prune-previews'
  const isOfQueue = name === 'merge_group'
  if (!isOfPullRequest && !isOfQueue && name !== '') return 'nothing'
  if (name === '' || action === undefined || (isOfQueue && mergeGroup === undefined))
    throw unreadableEventError(name)
  if (isOfQueue) return action === 'checks_requested' ? 'create-preview' : 'nothing'
  if (action === 'closed') return 'delete-preview'
  return mayNeedPreview(action, rules) ? 'follow' : 'delete at most'
}

/** Whether the event may create or find a preview. A malformed event does not. */
export function mayCreatePreview({ event, settings }: EventAndSettings<StepSettings>): boolean {
  try {
    return ['create-preview', 'follow'].includes(chooseWork(event, settings.preview))
  } catch {
    return false
  }
}
