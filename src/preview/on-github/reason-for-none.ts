/** Decides whether a pull request gets a preview, and why not. */
import { ActionError } from '#base/errors'
import type { PreviewSettings, PullRequests, Triggered } from '../base/context.ts'
import type { PullRequest } from '../base/github.ts'
import { reportGitHubFailure } from '../base/github-failure.ts'
import type { Preview } from '../base/identity.ts'
import { findLabel } from './prune-decision.ts'

type Facts = Pick<PullRequest, 'state' | 'labels' | 'draft'>

/** Why a pull request gets no preview; undefined if it gets one. */
export function reasonForNone(
  number: number,
  { state, labels, draft }: Facts,
  { labels: asked, drafts }: Pick<PreviewSettings, 'labels' | 'drafts'>,
): string | undefined {
  const isLabeled = asked === undefined || findLabel(labels, asked) !== undefined
  if (state === 'closed') return `pull request ${number} is closed`
  if (!isLabeled)
    return asked.length === 1
      ? `pull request ${number} does not have the label ${asked[0]}`
      : `pull request ${number} has none of the labels ${asked.join(', ')}`
  if (draft && !drafts) return `pull request ${number} is a draft`
  return undefined
}

export const toHaveOne = ({ pullRequest }: { pullRequest: number | undefined }) =>
  `pull request ${pullRequest} keeps its preview after all`

export const noSuchPullRequest = ({ event }: Triggered, number: number) =>
  new ActionError(`there is no pull request ${number} in ${event.repository}`, 'check the input pull_request')

/** Why the preview must not exist. If GitHub does not answer, `onSilence` decides. A merge queue entry always gets one. */
export async function reasonAgainst(
  context: PullRequests,
  { pullRequest: number }: Preview,
  onSilence?: string,
): Promise<string | undefined> {
  if (number === undefined) return undefined
  const { event, github, settings } = context
  if (event.pullRequest?.number === number && event.pullRequest.state === 'closed')
    return `pull request ${number} is closed`
  let found: PullRequest
  try {
    found = await github.readPullRequest(number)
  } catch (failure) {
    reportGitHubFailure(context, `it is unknown whether pull request ${number} is open`, failure)
    return onSilence
  }
  if (found.state === 'missing') throw noSuchPullRequest(context, number)
  return reasonForNone(number, found, settings.preview)
}

/** The reason against a preview by the event, as of when it was sent. */
export function reasonByEvent({ event, settings }: Triggered, { pullRequest }: Preview): string | undefined {
  const ofEvent = event.pullRequest
  if (ofEvent === undefined || ofEvent.number !== pullRequest) return undefined
  return reasonForNone(pullRequest, ofEvent, settings.preview)
}
