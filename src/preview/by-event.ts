/** The operation `preview`: chooses the work by the event of the workflow. */
import { renderAdvised } from '#base/errors'
import type { Waiting } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import { outlastOutage } from '#operations/cleanup/keep-trying'
import type { PreviewContext, PullRequests, Triggered } from './base/context.ts'
import { callOf, creatingActions, pullRequestOfRun, unreadable } from './base/event-call.ts'
import type { PullRequest, WorkflowEvent } from './base/github.ts'
import { reportGitHubFailure } from './base/github-failure.ts'
import { identifyPreview } from './base/identity.ts'
import type { PreviewParameters } from './base/parameters.ts'
import { noSuchPullRequest, reasonForNone, toHaveOne } from './on-github/reason-for-none.ts'
import { givePreview } from './operations/create-preview.ts'
import { deletePreview, endPreview } from './operations/delete-preview.ts'
import { prunePreviews } from './prune/prune.ts'

const describe = ({ name, action }: WorkflowEvent) => (action ? `${name} (${action})` : name)

/** A workflow may run on events unrelated to previews. `more` is text for the notice only. */
function doNothing(context: Waiting & Triggered, reason: string, more = ''): Outcome {
  context.log.notice(`nothing to do on ${describe(context.event)}: ${reason}${more}`)
  return { operation: 'preview', ids: {}, pullRequest: pullRequestOfRun(context), skipped: reason }
}

const noCall = 'this event changes no preview'
const calling = `. Run the step on pull_request (${creatingActions.join(', ')}, closed, and with their inputs labeled, unlabeled, converted_to_draft), merge_group, schedule and workflow_dispatch`

/** The current pull request; as the event described it if GitHub does not answer. */
async function readFacts(
  context: PullRequests,
  number: number,
): Promise<{ facts: Omit<PullRequest, 'closedAt'>; isCertain: boolean }> {
  const { event, signal } = context
  try {
    const facts = await context.github.readPullRequest(number)
    if (facts.state !== 'missing') return { facts, isCertain: true }
  } catch (failure) {
    signal.throwIfAborted()
    const ofEvent = event.pullRequest
    if (ofEvent?.number !== number) throw failure
    reportGitHubFailure(
      context,
      `GitHub did not return the state of pull request ${number}, so the event decides`,
      failure,
    )
    return { facts: ofEvent, isCertain: false }
  }
  throw noSuchPullRequest(context, number)
}

/** Deletes the preview of a pull request that gets none. Keeps it if a doubt arises meanwhile. */
async function end(given: PreviewParameters, context: PreviewContext, number: number): Promise<Outcome> {
  const { settings, signal } = context
  const preview = await outlastOutage(context, () => identifyPreview(context, given))
  return await endPreview(context, preview, async () => {
    try {
      const facts = await context.github.readPullRequest(number)
      // A pull request unknown to GitHub has unknown labels. These must not count as a missing label.
      if (facts.state === 'missing') return `GitHub does not know pull request ${number} any more`
      return reasonForNone(number, facts, settings.preview) === undefined ? toHaveOne(preview) : undefined
    } catch (failure) {
      signal.throwIfAborted()
      return `GitHub no longer returns the state of pull request ${number}: ${renderAdvised(failure)}`
    }
  })
}

/**
 * Creates or deletes the preview by the present state of the pull request. The event may be old, and earlier events
 * may never have run: in a concurrency group, GitHub replaces a waiting run by a later one
 * (docs/internals/guarantees.md, "The present state decides").
 */
async function follow(
  given: PreviewParameters,
  context: PreviewContext,
  number: number,
  creates: boolean,
): Promise<Outcome> {
  const { facts, isCertain } = await readFacts(context, number)
  const reason = reasonForNone(number, facts, context.settings.preview)
  if (reason !== undefined && !isCertain)
    return doNothing(context, `${reason}, by an event that may be old, and GitHub cannot be asked`)
  if (reason !== undefined) {
    context.log.info(`on ${describe(context.event)}: delete-preview, as ${reason}`)
    const outcome = await end(given, context, number)
    return { ...outcome, skipped: outcome.skipped ?? reason }
  }
  if (!creates) return doNothing(context, noCall, calling)
  context.log.info(`on ${describe(context.event)}: create-preview`)
  return await givePreview(given, context)
}

const runs = {
  'create-preview': givePreview,
  'delete-preview': deletePreview,
  'prune-previews': prunePreviews,
}

export async function previewByEvent(given: PreviewParameters, context: PreviewContext): Promise<Outcome> {
  const { event } = context
  const call = callOf(event, context.settings.preview)
  if (call === 'nothing') return doNothing(context, noCall, calling)
  if (call === 'follow' || call === 'end at most') {
    const number = pullRequestOfRun(context)
    if (number === undefined) throw unreadable(event.name)
    return await follow(given, context, number, call === 'follow')
  }
  context.log.info(`on ${describe(event)}: ${call}`)
  return await runs[call](given, context)
}
