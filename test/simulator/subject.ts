/** Computes which previews the run of a job plan concerns. */
import type { PreviewSettings } from '#preview/base/context'
import type { JobPlan } from './job-plan.ts'
import { entryOf, repositoryHash } from './preview-names.ts'
import type { PullRequestFacts } from './pull-requests.ts'

/** Which pull requests have a preview, by the inputs. */
export type Rules = Pick<PreviewSettings, 'labels' | 'drafts'> & Partial<Pick<PreviewSettings, 'paths'>>

const isOfPreviews = ({ operation }: JobPlan) => /preview/.test(operation)

/** Whether a run prunes, by its operation or its event. */
export function isPrune({ operation, event, settings }: JobPlan): boolean {
  if (operation === 'prune-previews') return true
  const isBare = event.name === 'schedule' || event.name === 'workflow_dispatch'
  return operation === 'preview' && isBare && settings.preview.pullRequest === undefined
}

export const isMasking = ({ operation }: JobPlan) => operation === 'create-masked-parent'

export const createsPreview = (plan: JobPlan) =>
  /^(create-|reset-|)preview$/.test(plan.operation) && !isPrune(plan)

export const isReset = ({ operation }: JobPlan) => operation === 'reset-preview'

/** The name, without its random part, of the one preview of a run; undefined for none or all. */
export function baseOf(plan: JobPlan): string | undefined {
  const { settings, event, given, operation } = plan
  const { namePrefix = 'preview', pullRequest = event.pullRequest?.number } = settings.preview
  const isOfOne = isOfPreviews(plan) ? !isPrune(plan) : operation === 'get-connection' && !given.service_id
  if (!isOfOne) return undefined
  const isOfQueue = event.mergeGroup !== undefined && settings.preview.pullRequest === undefined
  const middle = isOfQueue ? `mq-${entryOf(event.mergeGroup?.headSha ?? '')}` : `pr-${pullRequest}`
  return `${namePrefix}-${middle}-${repositoryHash}`
}

/** Whether a pull request should have a preview. Written independently of the code, and the other way round. */
export function shouldHavePreview(
  { state, labels, draft }: Omit<PullRequestFacts, 'state'> & { state: string },
  { labels: asked, drafts }: Rules,
): boolean {
  const names = labels.map(name => name.toLowerCase())
  const isLabeled = asked === undefined || asked.some(label => names.includes(label.toLowerCase()))
  return state === 'open' && isLabeled && !(draft && !drafts)
}
