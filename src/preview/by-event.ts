import { renderAdvised } from '../client/errors.ts'
import type { GivenParameters } from '../operations/context.ts'
import type { Outcome } from '../operations/outcome.ts'
import type { PreviewContext } from './context.ts'
import { createPreview } from './create.ts'
import { deletePreview, endPreview } from './delete.ts'
import { callOf, making, namedPullRequest, unreadable } from './event-call.ts'
import type { PullRequest, WorkflowEvent } from './github.ts'
import { identifyPreview } from './identity.ts'
import { prunePreviews } from './prune.ts'
import { noSuchPullRequest, reasonForNone, toHaveOne } from './reason-for-none.ts'

const describe = ({ name, action }: WorkflowEvent) => (action ? `${name} (${action})` : name)

/** Nothing is done, and that is no failure: a workflow may run on events that have nothing to do with previews. */
function doNothing({ github, log, settings }: PreviewContext, reason: string): Outcome {
  log.notice(`on ${describe(github.event)}: nothing is done: ${reason}`)
  const pullRequest = settings.preview.pullRequest ?? github.event.pullRequest?.number
  return { operation: 'preview', ids: {}, pullRequest, skipped: reason }
}

const noCall = `it calls for no preview; those that do are pull_request (${making.join(', ')}, closed, and with their inputs labeled, unlabeled, converted_to_draft), merge_group, schedule and workflow_dispatch`

/** The pull request as it is now; as the event had it, where GitHub cannot be asked. */
async function readFacts(
  context: PreviewContext,
  number: number,
): Promise<{ facts: Omit<PullRequest, 'closedAt'>; isCertain: boolean }> {
  const { github, signal, log } = context
  try {
    const facts = await github.readPullRequest(number)
    if (facts.state !== 'missing') return { facts, isCertain: true }
  } catch (failure) {
    signal.throwIfAborted()
    const told = github.event.pullRequest
    if (told?.number !== number) throw failure
    log.warning(
      `GitHub does not say what pull request ${number} is now, so the event counts: ${renderAdvised(failure)}`,
      'GitHub cannot be asked',
    )
    return { facts: told, isCertain: false }
  }
  throw noSuchPullRequest(context, number)
}

/** Deletes the preview that the pull request is not to have; on a doubt that comes up meanwhile it stays. */
async function end(given: GivenParameters, context: PreviewContext, number: number): Promise<Outcome> {
  const { github, settings, signal } = context
  const preview = await identifyPreview(context, given)
  return await endPreview(context, preview, async () => {
    try {
      const facts = await github.readPullRequest(number)
      return reasonForNone(number, facts, settings.preview) === undefined ? toHaveOne(preview) : undefined
    } catch (failure) {
      signal.throwIfAborted()
      return `GitHub does not say any more what pull request ${number} is: ${renderAdvised(failure)}`
    }
  })
}

/**
 * Brings about what the pull request is to have as it is now. The event may be of long ago, and an earlier one may
 * never have had its run: GitHub replaces a run that waits by a later one of the same concurrency group
 * (docs/design.md, "What is now decides").
 */
async function follow(
  given: GivenParameters,
  context: PreviewContext,
  number: number,
  makes: boolean,
): Promise<Outcome> {
  const { facts, isCertain } = await readFacts(context, number)
  const reason = reasonForNone(number, facts, context.settings.preview)
  if (reason !== undefined && !isCertain) return doNothing(context, `${reason}, but that is not certain`)
  if (reason !== undefined) {
    context.log.info(`on ${describe(context.github.event)}: delete-preview, as ${reason}`)
    const outcome = await end(given, context, number)
    return { ...outcome, skipped: outcome.skipped ?? reason }
  }
  if (!makes) return doNothing(context, noCall)
  context.log.info(`on ${describe(context.github.event)}: create-preview`)
  return await createPreview(given, context)
}

const runs = {
  'create-preview': createPreview,
  'delete-preview': deletePreview,
  'prune-previews': prunePreviews,
}

/** Does what the event calls for: creates, deletes or prunes, or nothing. */
export async function previewByEvent(given: GivenParameters, context: PreviewContext): Promise<Outcome> {
  const { event } = context.github
  const call = callOf(event, context.settings.preview)
  if (call === 'nothing') return doNothing(context, noCall)
  if (call === 'follow' || call === 'end at most') {
    const number = namedPullRequest(context.settings.preview) ?? event.pullRequest?.number
    if (number === undefined) throw unreadable(event.name)
    return await follow(given, context, number, call === 'follow')
  }
  context.log.info(`on ${describe(event)}: ${call}`)
  return await runs[call](given, context)
}
