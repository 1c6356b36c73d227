/** The operations on the life of a preview. `preview` chooses one of them by the event of the workflow. */
import { renderAdvised } from '#base/errors'
import type { Waiting } from '#operations/base/context'
import type { Outcome } from '#operations/base/outcome'
import { outlastOutage } from '#operations/cleanup/request-deletion'
import type { PreviewContext, PullRequests, Triggered } from './base/context.ts'
import { chooseWork, creatingActions, pullRequestOfRun, unreadableEventError } from './base/event-work.ts'
import type { PullRequest, WorkflowEvent } from './base/github.ts'
import { reportGitHubFailure } from './base/github-failure.ts'
import { identifyPreview } from './base/identity.ts'
import type { PreviewParameters } from './base/parameters.ts'
import { describeKept, noPullRequestError, reasonForNone } from './on-github/reason-for-none.ts'
import { ensurePreview, resetPreview } from './operations/create-preview.ts'
import { deletePreview, deleteUnlessKept } from './operations/delete-preview.ts'
import { getConnection } from './operations/get-connection.ts'
import { prunePreviews } from './prune/prune.ts'

const describeEvent = ({ name, action }: WorkflowEvent) => (action ? `${name} (${action})` : name)

/** Logs why the run does nothing, and returns its outcome. Only the log contains `advice`. */
function doNothing(context: Waiting & Triggered, reason: string, advice = ''): Outcome {
  context.log.notice(`nothing to do on ${describeEvent(context.event)}: ${reason}${advice}`)
  return { operation: 'preview', ids: {}, pullRequest: pullRequestOfRun(context), skipped: reason }
}

const noWork = 'this event changes no preview'
const eventsAdvice = `. Run the step on pull_request (${creatingActions.join(', ')}, closed, and with their inputs labeled, unlabeled, converted_to_draft), merge_group, schedule and workflow_dispatch`

/** Reads the pull request from GitHub. If GitHub does not answer, returns it as the event described it, uncertain. */
async function readPullRequest(
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
  throw noPullRequestError(context, number)
}

/** Deletes the preview of a pull request that gets none, unless a last check right before the deletion raises a doubt. */
async function deleteUnneeded(given: PreviewParameters, context: PreviewContext, number: number) {
  const { settings, signal } = context
  const preview = await outlastOutage(context, () => identifyPreview(context, given))
  return await deleteUnlessKept(context, preview, async () => {
    try {
      const facts = await context.github.readPullRequest(number)
      // A pull request unknown to GitHub has unknown labels. These must not count as a missing label.
      if (facts.state === 'missing') return `GitHub does not know pull request ${number} any more`
      return reasonForNone(number, facts, settings.preview) === undefined ? describeKept(preview) : undefined
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
  mayCreate: boolean,
): Promise<Outcome> {
  const { facts, isCertain } = await readPullRequest(context, number)
  const reason = reasonForNone(number, facts, context.settings.preview)
  if (reason !== undefined && !isCertain)
    return doNothing(context, `${reason}, by an event that may be old, and GitHub does not answer`)
  if (reason !== undefined) {
    context.log.info(`on ${describeEvent(context.event)}: delete-preview, as ${reason}`)
    const outcome = await deleteUnneeded(given, context, number)
    return { ...outcome, skipped: outcome.skipped ?? reason }
  }
  if (!mayCreate) return doNothing(context, noWork, eventsAdvice)
  context.log.info(`on ${describeEvent(context.event)}: create-preview`)
  return await ensurePreview(given, context)
}

async function previewByEvent(given: PreviewParameters, context: PreviewContext): Promise<Outcome> {
  const { event } = context
  const work = chooseWork(event, context.settings.preview)
  if (work === 'nothing') return doNothing(context, noWork, eventsAdvice)
  if (work === 'follow' || work === 'delete at most') {
    const number = pullRequestOfRun(context)
    if (number === undefined) throw unreadableEventError(event.name)
    return await follow(given, context, number, work === 'follow')
  }
  context.log.info(`on ${describeEvent(event)}: ${work}`)
  return await operations[work](given, context)
}

/** The operations on the life of a preview, as one file of the bundle. Steps with other operations do not load it. */
export const operations = {
  preview: previewByEvent,
  'create-preview': ensurePreview,
  'reset-preview': resetPreview,
  'delete-preview': deletePreview,
  'prune-previews': prunePreviews,
  'get-connection': getConnection,
}
