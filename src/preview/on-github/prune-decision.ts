/** Decides which previews prune deletes. Pure: it reads nothing and changes nothing. */
import type { Service } from '#api/records'
import { renderDuration } from '#base/duration'
import type { Calls } from '#operations/base/context'
import type { WithSettings } from '../base/context.ts'
import type { PullRequest } from '../base/github.ts'
import { ageOf, timeSince } from '../base/services.ts'

/** GitHub's answer about the pull request or merge queue entry of a preview. */
export interface SubjectFacts extends Partial<Omit<PullRequest, 'state'>> {
  /** The state of a pull request, or the presence of a merge queue entry in the queue. */
  state: PullRequest['state'] | 'queued' | 'left'
}

/** The verdicts on a preview, as the summary counts them. */
export const verdicts = {
  deleted: 'deleted',
  'would delete': 'would be deleted',
  paused: 'paused',
  'would pause': 'would be paused',
  kept: 'kept',
  skipped: 'skipped',
  failed: 'failed',
} as const

export type Verdict = keyof typeof verdicts

export interface Decision {
  service: Service
  /** The answer that the verdict relies on; undefined if the guard, a doubt or `max_deletions` decided. */
  facts?: SubjectFacts
  verdict: Verdict
  reason: string
  /** The instruction after a failed deletion. */
  next?: string | undefined
}

/** The first label of a pull request that is among the `wanted` labels. GitHub ignores the case of labels. */
export const findLabel = (labels: string[], wanted: string[]) =>
  labels.find(label => wanted.some(name => name.toLowerCase() === label.toLowerCase()))

/** Why the pull request keeps its preview as it is: it has a label of `keep_label`. */
export function reasonByLabel(
  { settings }: WithSettings<'preview'>,
  { labels = [] }: SubjectFacts,
): string | undefined {
  const label = findLabel(labels, settings.preview.keepLabels)
  return label && `its pull request has the label ${label}`
}

/** Decides about a preview by the age of its record and GitHub's answer. */
export function decide(
  context: Pick<Calls, 'client'> & WithSettings<'preview'>,
  service: Service,
  facts: SubjectFacts,
): { delete: boolean; reason: string } {
  const { state, closedAt } = facts
  const { minAge, maxAge } = context.settings.preview
  const labeled = reasonByLabel(context, facts)
  // A preview without a readable date is at least as old as the end of its pull request.
  const age = ageOf(context, service) ?? (state === 'closed' ? timeSince(context, closedAt) : undefined)
  if (age === undefined) return { delete: false, reason: 'its age is not known' }
  if (age < minAge) return { delete: false, reason: `younger than ${renderDuration(minAge)}` }
  if (state === 'closed') return { delete: true, reason: 'its pull request is closed' }
  if (state === 'missing') return { delete: true, reason: 'its pull request does not exist' }
  if (state === 'left') return { delete: true, reason: 'its entry has left the merge queue' }
  if (labeled !== undefined) return { delete: false, reason: labeled }
  if (maxAge !== undefined && age > maxAge)
    return { delete: true, reason: `older than ${renderDuration(maxAge)}` }
  const reason = state === 'queued' ? 'its entry is in the merge queue' : 'its pull request is open'
  return { delete: false, reason }
}
