import type { Service } from '../api/records.ts'
import { ApiError } from '../client/errors.ts'
import type { GivenParameters } from '../operations/context.ts'
import type { Outcome } from '../operations/outcome.ts'
import type { PreviewContext } from './context.ts'
import { createPreview } from './create.ts'
import { reasonNotToReset } from './guard.ts'
import { findPreviews, isEnding, type Preview } from './identity.ts'
import { foreignService, PreviewError } from './preview-error.ts'
import { removePreview, waitUntilGone } from './remove.ts'

const operation = 'reset-preview'

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
  const { parentId, projectId, base } = preview
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
  if (former !== undefined)
    context.log.info(
      `the preview ${base} is a fork of ${former}; the new one will be ${parentId ? `a fork of ${parentId}` : 'empty'}`,
    )
}

/**
 * Deletes the old databases, and waits until they are gone. A new one is made only then: of two databases, other runs
 * of the pull request would keep the older one.
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
    if (!removal.deleted) throw foreignService(service, { ...preview, parentId: undefined }, removal.reason)
  }
  for (const { service_id } of stale)
    await waitUntilGone(context, { project_id: preview.projectId, service_id })
}

/** Says what has changed for later steps and other jobs. */
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

/** Which databases a reset replaces, and which it must not touch. */
interface Stale {
  services: Service[]
  parents: ReadonlySet<string>
}

/**
 * Replaces only the databases that exist when the reset begins: those made later by other runs are fresh already.
 *
 * @throws PreviewError when one of them is not ours, or the parent cannot be forked
 */
async function findStale(context: PreviewContext, preview: Preview): Promise<Stale> {
  const found = await findPreviews(context, preview)
  const services = found.filter(service => !isEnding(service))
  const origins = found.map(({ forked_from }) => forked_from?.service_id ?? '')
  const parents = new Set([preview.parentId ?? '', ...origins])
  for (const service of services) {
    const reason = reasonNotToReset(service, preview, parents)
    if (reason !== undefined) throw foreignService(service, { ...preview, parentId: undefined }, reason)
  }
  await checkParent(context, preview, services)
  return { services, parents }
}

/** What a dry run of a reset says, after the same checks. */
const foreseeReset = (context: PreviewContext) => async (preview: Preview) => {
  const { services } = await findStale(context, preview)
  const ids = services.map(({ service_id }) => service_id).join(', ')
  const making = preview.parentId === undefined ? 'make an empty service' : `fork ${preview.parentId}`
  return { skipped: `dry run: would ${ids ? `delete ${ids}, and then ` : ''}${making} for ${preview.base}` }
}

/**
 * Replaces the preview of a pull request by a new one: fresh data, a new id, address and password. A closed pull
 * request gets none. A reset that is killed leaves one database or none, and the next run repairs that.
 */
export async function resetPreview(given: GivenParameters, context: PreviewContext): Promise<Outcome> {
  let stale: Service[] = []
  let deletedIds: string[] = []
  const clear = async (preview: Preview) => {
    const { services, parents } = await findStale(context, preview)
    await removeStale(context, preview, services, parents)
    stale = services
    deletedIds = services.map(({ service_id }) => service_id)
    return deletedIds
  }
  try {
    const outcome = await createPreview(given, context, { clear, foresee: foreseeReset(context) })
    const deleted = outcome.deleted === true || deletedIds.length > 0
    if (outcome.skipped === undefined) context.log.info(renderChanges(stale[0], outcome.record as Service))
    return { ...outcome, operation, deleted, changed: outcome.changed === true || deleted, deletedIds }
  } catch (failure) {
    if (deletedIds.length > 0)
      context.log.warning(
        `${deletedIds.join(', ')} is deleted already, with its data: run ${operation} or create-preview again for a new one`,
      )
    throw failure
  }
}
