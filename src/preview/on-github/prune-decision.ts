import type { Service } from '#api/records'
import { renderDuration } from '#base/duration'
import type { PullRequestState } from '../base/github.ts'

/** The state of a pull request, or whether a merge queue entry is still in the queue. */
export type SubjectState = PullRequestState | 'queued' | 'left'

/** Each verdict of prune on a preview, as the summary counts it. */
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

/** What prune does with one preview, and why. */
export interface Decision {
  service: Service
  /** Undefined for a merge queue entry. */
  pullRequest: number | undefined
  /** The state of its pull request or merge queue entry when the decision was made. */
  state?: SubjectState
  verdict: Verdict
  reason: string
  /** What to do about a deletion that failed. */
  next?: string | undefined
}

/** The facts for a decision. Times in milliseconds. */
export interface Circumstances {
  /** Since its creation; undefined if the API gives no readable date. */
  age: number | undefined
  /** Since its pull request was closed, if GitHub says when. A preview is at least as old as that. */
  closedFor: number | undefined
  minAge: number
  maxAge: number | undefined
  state: SubjectState
  /** The label of the pull request that spares its preview while it is open. */
  spared?: string | undefined
}

/** The label of a pull request that is one of those asked for, if it has one. GitHub ignores the case of labels. */
export const findLabel = (labels: string[], asked: string[]) =>
  labels.find(label => asked.some(one => one.toLowerCase() === label.toLowerCase()))

/** Why a preview is not deleted. */
export const describeSparing = (label: string) => `its pull request has the label ${label}`

/** Whether a preview is to be deleted, and why, or why not. */
export function decide(circumstances: Circumstances): { delete: boolean; reason: string } {
  const { closedFor, minAge, maxAge, state, spared } = circumstances
  const age = circumstances.age ?? (state === 'closed' ? closedFor : undefined)
  if (age === undefined) return { delete: false, reason: 'its age is not known' }
  if (age < minAge) return { delete: false, reason: `younger than ${renderDuration(minAge)}` }
  if (state === 'closed') return { delete: true, reason: 'its pull request is closed' }
  if (state === 'missing') return { delete: true, reason: 'its pull request does not exist' }
  if (state === 'left') return { delete: true, reason: 'its entry has left the merge queue' }
  if (spared !== undefined) return { delete: false, reason: describeSparing(spared) }
  if (maxAge !== undefined && age > maxAge)
    return { delete: true, reason: `older than ${renderDuration(maxAge)}` }
  const standing = state === 'queued' ? 'its entry is in the merge queue' : 'its pull request is open'
  return { delete: false, reason: standing }
}
