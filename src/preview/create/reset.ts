import type { Service } from '../../api/records.ts'
import { isEnding } from '../../api/service-states.ts'
import { ActionError, ApiError, messageOf } from '../../base/errors.ts'
import { isPassing } from '../../client/retry.ts'
import type { Outcome } from '../../operations/base/outcome.ts'
import { WaitError } from '../../operations/wait/wait-error.ts'
import type { PreviewContext } from '../base/context.ts'
import { type Forks, reasonNotToReset } from '../base/guard.ts'
import { findPreviews, type Preview } from '../base/identity.ts'
import { listForks } from '../base/list-services.ts'
import type { PreviewParameters } from '../base/parameters.ts'
import { foreignService, PreviewError } from '../base/preview-error.ts'
import { isGoing, outlast, removePreview } from '../end/remove.ts'
import { createPreview } from './create.ts'
import type { Made } from './made.ts'
import { withParent } from './masked-parent.ts'

const operation = 'reset-preview'

const renderGoing = (ids: string[]) =>
  `service ${ids.join(', ')} is deleted or being deleted, and its data is gone`
const goOn = 'run create-preview: it waits until the old one is gone, and makes the new one'

/** An old database is going or gone, as `what` says, and there is no new one yet. */
class HalfwayError extends PreviewError {
  readonly what: string

  constructor({ base }: Preview, what: string, cause: unknown) {
    const advice = cause instanceof ActionError && !(cause instanceof WaitError) ? `${cause.next}; then ` : ''
    super(
      `${what}, but the preview ${base} has no new database yet: ${messageOf(cause)}`,
      `${advice}${goOn}`,
      { cause },
    )
    this.what = what
  }
}

/** Statuses in which a parent can be forked (docs/api.md, "Forks and snapshots"). */
const forkable: string[] = ['READY', 'PAUSED']

async function readParent(context: PreviewContext, project_id: string, service_id: string): Promise<Service> {
  try {
    return await context.client.call('get-service', { project_id, service_id })
  } catch (failure) {
    if (!(failure instanceof ApiError && failure.status === 404)) throw failure
    throw new PreviewError(
      `there is no service ${service_id} to fork: the preview is left as it is`,
      'check service_id',
      { cause: failure },
    )
  }
}

/** Makes sure that a new database can be made, before the old one is deleted. */
async function checkParent(context: PreviewContext, preview: Preview, stale: Service[]): Promise<void> {
  const { dryRun } = context.settings
  const { parentId, projectId, base } = await withParent(context, preview, { wait: !dryRun })
  if (parentId !== undefined) {
    const { status = 'of no known status' } = await readParent(context, projectId, parentId)
    if (!forkable.includes(status)) {
      throw new PreviewError(
        `the parent ${parentId} is ${status} and cannot be forked now: the preview ${base} is left as it is`,
        'run the step again once the parent is READY or PAUSED; a status like PAUSING passes by itself',
      )
    }
  }
  const former = stale
    .map(({ forked_from }) => forked_from?.service_id)
    .find(origin => origin !== undefined && origin !== parentId)
  if (former !== undefined && preview.maskedFrom === undefined)
    context.log.info(
      `the preview ${base} is a fork of ${former}; the new one will be ${parentId ? `a fork of ${parentId}` : 'empty'}`,
    )
}

/** What the services of the project were forked from, whatever their names: previews of another prefix count as well. */
async function readForks(context: PreviewContext, { projectId }: Preview): Promise<Forks> {
  const forks = await listForks(context, projectId)
  return new Map(forks.map(fork => [fork.forked_from?.service_id ?? '', fork]))
}

function refuse(service: Service, preview: Preview, reason: string, forks: Forks): PreviewError {
  const fork = forks.get(service.service_id)
  const next =
    fork &&
    `delete service ${fork.service_id} first if nobody needs it any more, then run the step again; or use another name_prefix`
  return foreignService(service, { ...preview, parentId: undefined }, reason, next)
}

/** Asks for the deletion of one old database, judging by what is so right before. */
async function askToRemove(context: PreviewContext, preview: Preview, service: Service): Promise<void> {
  let forks: Forks = new Map()
  let isAsked = false
  const reasonNow = async (record: Service) => {
    forks = await readForks(context, preview)
    const reason = reasonNotToReset(record, preview, forks)
    isAsked = reason === undefined
    return reason
  }
  const owner = { ...preview, parentId: undefined }
  try {
    const removal = await removePreview(context, service, owner, { wait: false, reasonNow })
    if (!removal.deleted) throw refuse(service, preview, removal.reason, forks)
  } catch (failure) {
    const what = `service ${service.service_id} may be going, with its data`
    if (isAsked && context.signal.aborted) context.log.warning(`${what}: ${goOn}`, 'the old data may be gone')
    if (!isAsked || context.signal.aborted) throw failure
    // An earlier try may have been accepted, or be processed yet.
    const isRefused = failure instanceof ApiError && !isPassing(failure) && !failure.isAfterLostAnswer
    const { projectId: project_id } = preview
    if (isRefused && !(await isGoing(context, { project_id, service_id: service.service_id }))) throw failure
    throw new HalfwayError(preview, what, failure)
  }
}

/**
 * Deletes the old databases, and waits until they are gone. A new one is made only then: of two databases, other runs
 * of the pull request would keep the older one.
 *
 * @param going gets the ids as soon as their deletion is accepted: from then on their data is lost
 * @throws HalfwayError when that was so for some, and then something failed
 */
async function removeStale(
  context: PreviewContext,
  preview: Preview,
  stale: Service[],
  going: string[],
): Promise<void> {
  try {
    for (const service of stale) {
      await askToRemove(context, preview, service)
      going.push(service.service_id)
    }
    for (const service of stale) await outlast(context, preview.projectId, service)
  } catch (failure) {
    context.signal.throwIfAborted()
    if (going.length === 0) throw failure
    if (!(failure instanceof HalfwayError)) throw new HalfwayError(preview, renderGoing(going), failure)
    throw new HalfwayError(preview, `${renderGoing(going)}; ${failure.what}`, failure.cause)
  }
}

/** Says what has changed for later steps and other jobs. */
function renderChanges(before: Service | undefined, after: Service | undefined): string {
  if (before === undefined) return 'there was no preview before: this one is new'
  const changes = [
    ['service_id', before.service_id, after?.service_id],
    ['host', before.endpoint?.host, after?.endpoint?.host],
    ['port', before.endpoint?.port, after?.endpoint?.port],
  ] as const
  const changed = changes.filter(([, old, now]) => old !== now)
  const kept = changes.filter(([, old, now]) => old === now).map(([name]) => `${name} is the same`)
  const lines = changed.map(
    ([name, old, now]) => `${name} was ${old ?? 'not known'}, is ${now ?? 'not known'}`,
  )
  const advice = 'the password is another one; other jobs get all of it from get-connection'
  return ['the preview has fresh data', ...lines, ...kept, advice].join('; ')
}

/**
 * Replaces only the databases that exist when the reset begins: those made later by other runs are fresh already.
 *
 * @throws PreviewError when one of them is not ours, or the parent cannot be forked
 */
async function findStale(context: PreviewContext, preview: Preview): Promise<Service[]> {
  const found = await findPreviews(context, preview)
  const services = found.filter(service => !isEnding(service))
  const forks = await readForks(context, preview)
  for (const service of services) {
    const reason = reasonNotToReset(service, preview, forks)
    if (reason !== undefined) throw refuse(service, preview, reason, forks)
  }
  await checkParent(context, preview, services)
  return services
}

/** What a dry run of a reset says, after the same checks. */
const foreseeReset = (context: PreviewContext) => async (preview: Preview) => {
  const services = await findStale(context, preview)
  const ids = services.map(({ service_id }) => service_id).join(', ')
  const { parentId } = await withParent(context, preview)
  const making = parentId === undefined ? 'make an empty service' : `fork ${parentId}`
  return { skipped: `dry run: would ${ids ? `delete ${ids}, and then ` : ''}${making} for ${preview.base}` }
}

/**
 * Replaces the preview of a pull request by a new one: fresh data, a new id, address and password. A closed pull
 * request gets none. A reset that is killed leaves one database or none, and the next run repairs that.
 */
export async function resetPreview(
  given: PreviewParameters,
  context: PreviewContext,
  reason?: string,
): Promise<Made> {
  let stale: Service[] = []
  const deletedIds: string[] = []
  let halfway: HalfwayError | undefined
  const clear = async (preview: Preview) => {
    stale = await findStale(context, preview)
    try {
      await removeStale(context, preview, stale, deletedIds)
    } catch (failure) {
      if (failure instanceof HalfwayError) halfway = failure
      throw failure
    }
    return deletedIds
  }
  try {
    const outcome = await createPreview(given, context, {
      renewal: { clear, foresee: foreseeReset(context), reason },
    })
    const deleted = outcome.deleted === true || deletedIds.length > 0
    if (outcome.skipped === undefined) context.log.info(renderChanges(stale[0], outcome.record))
    return { ...outcome, operation, deleted, changed: outcome.changed === true || deleted, deletedIds }
  } catch (failure) {
    // One that says it itself may have been followed by another, which came when the pull request was found to be closed.
    const what = halfway?.what ?? (deletedIds.length > 0 ? renderGoing(deletedIds) : undefined)
    if (what !== undefined && failure !== halfway)
      context.log.warning(`${what}: ${goOn}, or goes on with it`, 'the old data is gone')
    throw failure
  }
}

/** Gives the pull request its preview. One that no longer fits the migrations (`reset_on`) is replaced. */
export async function givePreview(given: PreviewParameters, context: PreviewContext): Promise<Outcome> {
  return await createPreview(given, context, {
    onOutdated: async reason => {
      context.log.notice(`reset_on: ${reason}, so the preview is reset`)
      return await resetPreview(given, context, reason)
    },
  })
}
