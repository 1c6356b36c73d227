/** Decides which previews prune deletes. Pure: it reads nothing and changes nothing. */
import type { Service } from '#api/records'
import { renderDuration } from '#base/duration'
import type { Calls } from '#operations/base/context'
import type { WithSettings } from '../base/context.ts'
import type { PullRequestState } from '../base/github.ts'
import { ageOf, timeSince } from '../base/services.ts'

/** GitHub's answer about the pull request or merge queue entry of a preview. */
export interface SubjectFacts {
  /** The state of a pull request, or the presence of a merge queue entry in the queue. */
  state: PullRequestState | 'queued' | 'left'
  /** When a pull request was closed, in milliseconds since 1970 by GitHub's clock. */
  closedAt?: number | undefined
  /** Labels of a pull request, and its last update by the same clock. */
  labels?: string[]
  updatedAt?: number | undefined
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

export const describeKeepLabel = (label: string) => `its pull request has the label ${label}`

/** Decides about a preview by the age of its record and GitHub's answer. */
export function decide(
  context: Pick<Calls, 'client'> & WithSettings<'preview'>,
  service: Service,
  { state, labels = [], closedAt }: SubjectFacts,
): { delete: boolean; reason: string } {
  const { minAge, maxAge, keepLabels } = context.settings.preview
  const keepLabel = findLabel(labels, keepLabels)
  // A preview without a readable date is at least as old as the end of its pull request.
  const age = ageOf(context, service) ?? (state === 'closed' ? timeSince(context, closedAt) : undefined)
  if (age === undefined) return { delete: false, reason: 'its age is not known' }
  if (age < minAge) return { delete: false, reason: `younger than ${renderDuration(minAge)}` }
  if (state === 'closed') return { delete: true, reason: 'its pull request is closed' }
  if (state === 'missing') return { delete: true, reason: 'its pull request does not exist' }
  if (state === 'left') return { delete: true, reason: 'its entry has left the merge queue' }
  if (keepLabel !== undefined) return { delete: false, reason: describeKeepLabel(keepLabel) }
  if (maxAge !== undefined && age > maxAge)
    return { delete: true, reason: `older than ${renderDuration(maxAge)}` }
  const reason = state === 'queued' ? 'its entry is in the merge queue' : 'its pull request is open'
  return { delete: false, reason }
}
