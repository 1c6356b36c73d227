import type { PreviewSettings } from '#preview/base/context'
import type { JobPlan } from './job-plan.ts'
import { entryOf, repositoryHash } from './preview-names.ts'
import type { PullRequestFacts } from './pull-requests.ts'

/** The rules of the inputs for which pull requests get a preview. */
export type Rules = Pick<PreviewSettings, 'labels' | 'drafts'> & Partial<Pick<PreviewSettings, 'paths'>>

const isOfPreviews = ({ operation }: JobPlan) => /preview/.test(operation)

/** Whether a run prunes: by its operation, or because of its event. */
export function prunes({ operation, event, settings }: JobPlan): boolean {
  if (operation === 'prune-previews') return true
  const isBare = event.name === 'schedule' || event.name === 'workflow_dispatch'
  return operation === 'preview' && isBare && settings.preview.pullRequest === undefined
}

/** Whether a run makes a masked copy. */
export const masks = ({ operation }: JobPlan) => operation === 'create-masked-parent'

/** Whether a run may make or give a preview. */
export const givesPreview = (plan: JobPlan) =>
  /^(create-|reset-|)preview$/.test(plan.operation) && !prunes(plan)

/** Whether a run replaces the existing preview. */
export const resets = ({ operation }: JobPlan) => operation === 'reset-preview'

/** The name, all but its random part, of the one preview that a run is about; undefined if it is about none or all. */
export function baseOf(plan: JobPlan): string | undefined {
  const { settings, event, given, operation } = plan
  const { namePrefix = 'preview', pullRequest = event.pullRequest?.number } = settings.preview
  const isOfOne = isOfPreviews(plan) ? !prunes(plan) : operation === 'get-connection' && !given.service_id
  if (!isOfOne) return undefined
  const isOfQueue = event.mergeGroup !== undefined && settings.preview.pullRequest === undefined
  const middle = isOfQueue ? `mq-${entryOf(event.mergeGroup?.headSha ?? '')}` : `pr-${pullRequest}`
  return `${namePrefix}-${middle}-${repositoryHash}`
}

/** Whether a pull request should have a preview. Written independently of the code, and the other way round. */
export function isToHaveOne(
  { state, labels, draft }: Omit<PullRequestFacts, 'state'> & { state: string },
  { labels: asked, drafts }: Rules,
): boolean {
  const names = labels.map(name => name.toLowerCase())
  const isLabeled = asked === undefined || asked.some(label => names.includes(label.toLowerCase()))
  return state === 'open' && isLabeled && !(draft && !drafts)
}
