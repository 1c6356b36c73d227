import { ActionError } from '../client/errors.ts'
import type { Ahead } from '../operations/operation.ts'
import type { PreviewSettings, StepSettings } from './context.ts'
import { parsePreviewBase, parsePreviewName } from './name.ts'

/** Events after which a pull request may need a preview that it did not have before. */
export const making = ['opened', 'reopened', 'synchronize', 'ready_for_review']

/** What an event calls for, before GitHub is asked anything. */
export type Call =
  | 'create-preview'
  | 'delete-preview'
  | 'prune-previews'
  /** What the pull request is now decides: it is to have a preview, or to have none. */
  | 'follow'
  /** The same, but nothing is made for such an event. */
  | 'end at most'
  | 'nothing'

type Rules = Pick<PreviewSettings, 'label' | 'drafts' | 'pullRequest' | 'previewName'>

/** Whether after this change the pull request may be one that is to have a preview. */
function mayNeedOne(action: string, { label, drafts }: Rules): boolean {
  if (action === 'labeled' || action === 'unlabeled') return label !== undefined
  return making.includes(action) || (action === 'converted_to_draft' && !drafts)
}

/** The pull request that the inputs name, whatever the event. */
export function namedPullRequest({
  previewName,
  pullRequest,
}: Pick<PreviewSettings, 'previewName' | 'pullRequest'>): number | undefined {
  const name = previewName ?? ''
  return (parsePreviewBase(name) ?? parsePreviewName(name))?.pullRequest ?? pullRequest
}

/** The event is about a pull request or an entry of the merge queue, and does not say of which. */
export function unreadable(name: string): ActionError {
  return new ActionError(
    `the payload of the event ${name || '(none)'} cannot be read (GITHUB_EVENT_PATH)`,
    'run the step on a GitHub Actions runner, or name create-preview or delete-preview with pull_request',
  )
}

/**
 * What an event calls for, with the inputs given.
 *
 * @throws ActionError where there is no event, or its payload cannot be read
 */
export function callOf(event: Ahead<unknown>['event'], rules: Rules): Call {
  const { name, action, pullRequest, mergeGroup } = event
  const isOfPullRequest = name === 'pull_request' || name === 'pull_request_target'
  const named = namedPullRequest(rules)
  // About another pull request than that of the event, or on an event without one, the event says nothing.
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

/** Whether the event may make or find a preview; one that cannot be read does not. */
export function mayMakePreview({ event, settings }: Ahead<StepSettings>): boolean {
  try {
    return ['create-preview', 'follow'].includes(callOf(event, settings.preview))
  } catch {
    return false
  }
}
