/** Decides whether a pull request gets a preview. If not, returns the reason. */
import { ActionError } from '#base/errors'
import type { PreviewSettings, PullRequests, Triggered } from '../base/context.ts'
import type { PullRequest } from '../base/github.ts'
import { reportGitHubFailure } from '../base/github-failure.ts'
import type { Preview } from '../base/identity.ts'
import { findLabel } from './prune-decision.ts'

/** Why a pull request gets no preview; undefined if it gets one. */
export function reasonForNone(
  number: number,
  { state, labels, draft }: Pick<PullRequest, 'state' | 'labels' | 'draft'>,
  { labels: wanted, drafts }: Pick<PreviewSettings, 'labels' | 'drafts'>,
): string | undefined {
  if (state === 'closed') return `pull request ${number} is closed`
  const isLabeled = wanted === undefined || findLabel(labels, wanted) !== undefined
  if (!isLabeled)
    return wanted.length === 1
      ? `pull request ${number} does not have the label ${wanted[0]}`
      : `pull request ${number} has none of the labels ${wanted.join(', ')}`
  if (draft && !drafts) return `pull request ${number} is a draft`
  return undefined
}

export const describeKept = ({ pullRequest }: { pullRequest: number | undefined }) =>
  `pull request ${pullRequest} keeps its preview after all`

export const noPullRequestError = ({ event }: Triggered, number: number) =>
  new ActionError(`there is no pull request ${number} in ${event.repository}`, 'check the input pull_request')

/** Reads from GitHub why the preview must not exist. Without an answer, returns `ifUnanswered`. A merge queue entry always gets a preview. */
export async function readReasonAgainst(
  context: PullRequests,
  { pullRequest: number }: Preview,
  ifUnanswered?: string,
): Promise<string | undefined> {
  if (number === undefined) return undefined
  const { event, github, settings } = context
  if (event.pullRequest?.number === number && event.pullRequest.state === 'closed')
    return `pull request ${number} is closed`
  let answer: PullRequest
  try {
    answer = await github.readPullRequest(number)
  } catch (failure) {
    reportGitHubFailure(context, `it is unknown whether pull request ${number} is open`, failure)
    return ifUnanswered
  }
  if (answer.state === 'missing') throw noPullRequestError(context, number)
  return reasonForNone(number, answer, settings.preview)
}

/** The reason against a preview by the event, as of when it was sent. */
export function reasonByEvent({ event, settings }: Triggered, { pullRequest }: Preview): string | undefined {
  const ofEvent = event.pullRequest
  if (ofEvent === undefined || ofEvent.number !== pullRequest) return undefined
  return reasonForNone(pullRequest, ofEvent, settings.preview)
}
