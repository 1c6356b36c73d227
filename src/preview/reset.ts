import type { Service } from '../api/records.ts'
import { ApiError } from '../client/errors.ts'
import type { GivenParameters } from '../operations/context.ts'
import type { Outcome } from '../operations/outcome.ts'
import type { PreviewContext } from './context.ts'
import { fail, givePreview, isClosed, skip } from './create.ts'
import { reasonNotToReset } from './guard.ts'
import { findPreviews, identifyPreview, isEnding, type Preview } from './identity.ts'
import { foreignService, PreviewError } from './preview-error.ts'
import { removePreview, waitUntilGone } from './remove.ts'

const operation = 'reset-preview'

/** What a parent must be to be forked (docs/api.md, "Forks and snapshots"). */
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

/** Makes sure that a new database can be made of what the old one is deleted for. */
async function checkParent(context: PreviewContext, preview: Preview, stale: Service[]): Promise<void> {
  const { parentId, projectId, base } = preview
  const origins = stale.flatMap(({ forked_from }) => forked_from?.service_id ?? [])
  if (parentId === undefined) {
    if (origins.length === 0) return
    throw new PreviewError(
      `the preview ${base} is a fork of ${origins[0]}, but service_id is empty: it is left as it is`,
      'set service_id (is the variable set that it comes from?); for an empty preview, delete-preview comes first',
    )
  }
  const { status } = await readParent(context, projectId, parentId)
  if (!forkable.includes(status ?? '')) {
    throw new PreviewError(
      `the parent ${parentId} is ${status ?? 'of no known status'} and cannot be forked now: the preview ${base} is left as it is`,
      'run the step again once the parent is READY',
    )
  }
  const former = origins.find(origin => origin !== parentId)
  if (former !== undefined)
    context.log.info(
      `the preview ${base} is a fork of ${former}; the new one will be a fork of ${parentId}: service_id has changed`,
    )
}

/**
 * Deletes all that was there, and waits until it is gone. Only then is a new one made: two at a time would be one too
 * many for every other run of the pull request, which keep the oldest.
 */
async function removeStale(
  context: PreviewContext,
  preview: Preview,
  stale: Service[],
  parents: ReadonlySet<string>,
): Promise<void> {
  const owner = { ...preview, parentId: undefined }
  const reasonNow = async (record: Service) => reasonNotToReset(record, preview, parents)
  for (const service of stale) {
    const removal = await removePreview(context, service, owner, { wait: false, reasonNow })
    if (!removal.deleted) throw foreignService(service, preview, removal.reason)
  }
  for (const { service_id } of stale)
    await waitUntilGone(context, { project_id: preview.projectId, service_id })
}

/** What later steps and other jobs must learn anew. */
function renderChanges(before: Service | undefined, after: Service): string {
  if (before === undefined) return 'there was no preview before: this one is new'
  const changes = [
    ['service_id', before.service_id, after.service_id],
    ['host', before.endpoint?.host, after.endpoint?.host],
    ['port', before.endpoint?.port, after.endpoint?.port],
  ] as const
  const changed = changes.filter(([, old, now]) => old !== now)
  const kept = changes.filter(([, old, now]) => old === now).map(([name]) => `${name} is the same`)
  const lines = changed.map(
    ([name, old, now]) => `${name} was ${old ?? 'not known'}, is ${now ?? 'not known'}`,
  )
  const advice = 'the password is another one; other jobs get all of it from get-connection'
  return ['the preview has fresh data', ...lines, ...kept, advice].join('; ')
}

/** The new database; where it cannot be made, the log says that the old one is gone. */
async function makeFresh(
  given: GivenParameters,
  context: PreviewContext,
  preview: Preview,
  gone: string[],
): Promise<Outcome> {
  try {
    return await givePreview(given, context, preview, gone)
  } catch (failure) {
    if (gone.length > 0)
      context.log.warning(
        `${gone.join(', ')} is deleted already, with its data: run ${operation} or create-preview again for a new one`,
      )
    throw failure
  }
}

/**
 * Replaces the preview of a pull request by a new one: fresh data, a new id, address and password. A closed pull
 * request is refused. Killed at any moment it leaves one database or none, and the next run makes it whole.
 */
export async function resetPreview(given: GivenParameters, context: PreviewContext): Promise<Outcome> {
  const preview = await identifyPreview(context, given)
  if (await isClosed(context, preview.pullRequest)) return { ...skip(context, preview), operation }
  const found = await findPreviews(context, preview)
  const stale = found.filter(service => !isEnding(service))
  const parents = new Set([
    preview.parentId ?? '',
    ...found.map(service => service.forked_from?.service_id ?? ''),
  ])
  for (const service of stale) {
    const reason = reasonNotToReset(service, preview, parents)
    if (reason !== undefined) throw foreignService(service, preview, reason)
  }
  await checkParent(context, preview, stale)
  try {
    await removeStale(context, preview, stale, parents)
  } catch (failure) {
    context.signal.throwIfAborted()
    return await fail(context, preview, failure)
  }
  const deletedIds = stale.map(({ service_id }) => service_id)
  const outcome = await makeFresh(given, context, preview, deletedIds)
  if (outcome.skipped === undefined) context.log.info(renderChanges(stale[0], outcome.record as Service))
  return { ...outcome, operation, deleted: deletedIds.length > 0, changed: true, deletedIds }
}
