import type { Service } from '../api/records.ts'
import type { Context, GivenParameters } from '../operations/context.ts'
import type { Creation } from '../operations/create-once.ts'
import type { Outcome } from '../operations/outcome.ts'
import { WaitError } from '../operations/settled.ts'
import { converge, PreviewError } from './converge.ts'
import { findPreviews, identifyPreview, isEnding, type Preview, UnknownPreviewError } from './identity.ts'
import { checkConnection, setDerivedPassword } from './login.ts'
import { makePreview } from './make.ts'
import { removePreview } from './remove.ts'
import { describeService, report } from './report.ts'

/** The pull request was closed before its preview was made. */
class ClosedMeanwhileError extends Error {
  override name = 'ClosedMeanwhileError'
}

/** Whether the pull request is closed for certain; where GitHub cannot be asked, the event's word counts. */
async function isClosed(context: Context, pullRequest: number): Promise<boolean> {
  const { event } = context.github
  if (event.pullRequest?.number === pullRequest && event.pullRequest.state === 'closed') return true
  try {
    const state = await context.github.readPullRequest(pullRequest)
    if (state !== 'missing') return state === 'closed'
  } catch (failure) {
    context.signal.throwIfAborted()
    context.log.warning(
      `GitHub does not say whether pull request ${pullRequest} is open: ${(failure as Error).message}`,
    )
    return false
  }
  throw new UnknownPreviewError(
    `there is no pull request ${pullRequest} in ${event.repository}`,
    'check the input pull_request',
  )
}

const outcomeOf = (preview: Preview, service: Service | undefined): Outcome => ({
  operation: 'create-preview',
  resource: 'service',
  ids: { project_id: preview.projectId, ...(service && { service_id: service.service_id }) },
  record: service,
  result: service,
  pullRequest: preview.pullRequest,
})

function skip(context: Context, preview: Preview): Outcome {
  context.log.info(`pull request ${preview.pullRequest} is closed: no preview is made for it`)
  return { ...outcomeOf(preview, undefined), skipped: `pull request ${preview.pullRequest} is closed` }
}

/** It was closed while its preview was being made: the event of its closing may have come too early to find it. */
async function undo(context: Context, preview: Preview): Promise<Outcome> {
  context.log.info(`pull request ${preview.pullRequest} was closed meanwhile: its preview is deleted again`)
  const found = (await findPreviews(context, preview)).filter(service => !isEnding(service))
  let deleted = false
  for (const service of found) {
    const removal = await removePreview(context, service, preview, { wait: true })
    deleted ||= removal.deleted
  }
  await report(context, preview, { state: 'deleted' })
  return { ...skip(context, preview), deleted, changed: true }
}

async function makeReported(
  context: Context,
  preview: Preview,
  given: GivenParameters,
): Promise<Creation<Service>> {
  // It may have been closed while this run waited for an earlier database to go.
  if (await isClosed(context, preview.pullRequest)) throw new ClosedMeanwhileError()
  await report(context, preview, { state: 'creating' })
  return await makePreview(context, preview, given, service => ({
    ...outcomeOf(preview, service),
    created: true,
    changed: true,
    initialPassword: service.initial_password,
  }))
}

async function run(context: Context, preview: Preview, given: GivenParameters): Promise<Outcome> {
  const { service, created, wait } = await converge(context, preview, () =>
    makeReported(context, preview, given),
  )
  const password = await setDerivedPassword(context, preview, service, created)
  const outcome: Outcome = {
    ...outcomeOf(preview, service),
    password,
    created,
    changed: created || wait !== undefined,
    wait,
  }
  await checkConnection(context, outcome)
  if (await isClosed(context, preview.pullRequest)) return await undo(context, preview)
  const commentUrl = await report(context, preview, { state: 'ready', ...describeService(service, context) })
  return { ...outcome, commentUrl }
}

/**
 * Gives a pull request its preview: one database, READY, with a password that any later job can derive. Run
 * again, it gives the same. A closed pull request gets none.
 */
export async function createPreview(given: GivenParameters, context: Context): Promise<Outcome> {
  const preview = await identifyPreview(context, given)
  if (await isClosed(context, preview.pullRequest)) return skip(context, preview)
  try {
    return await run(context, preview, given)
  } catch (failure) {
    context.signal.throwIfAborted()
    const gone = failure instanceof PreviewError || failure instanceof WaitError
    const closed =
      failure instanceof ClosedMeanwhileError || (gone && (await isClosed(context, preview.pullRequest)))
    if (closed) return await undo(context, preview)
    await report(context, preview, { state: 'failed', problem: (failure as Error).message })
    throw failure
  }
}
