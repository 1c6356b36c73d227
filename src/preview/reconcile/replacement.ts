/** Replaces the databases of a preview in a reset: checks first, deletes then, and reports a failure halfway. */
import type { Service } from '#api/records'
import { ActionError, ApiError, isApiError } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import { isTemporary } from '#client/retry'
import { WaitError } from '#operations/wait/wait-error'
import { findFork, reasonNotToReset } from '../base/guard.ts'
import type { Preview } from '../base/identity.ts'
import { notOwnedError, PreviewError } from '../base/preview-error.ts'
import { listForks } from '../base/services.ts'
import { parseMaskedName } from '../masked/name.ts'
import { withParent } from '../services/create.ts'
import { deleteDatabase, isKnownGoneOrEnding } from '../services/delete.ts'
import type { Run } from './run.ts'

const continueAdvice = 'run create-preview: it waits until the old one is gone, and creates the new one'

/** Statuses in which a parent can be forked (docs/internals/api.md, "Forks and snapshots"). */
const forkable: string[] = ['READY', 'PAUSED']

async function readParent({ context }: Run, project_id: string, service_id: string): Promise<Service> {
  try {
    return await context.client.call('get-service', { project_id, service_id })
  } catch (failure) {
    if (!isApiError(failure, 404)) throw failure
    throw new PreviewError(
      `there is no service ${service_id} to fork: the preview is left as it is`,
      'check service_id',
      { cause: failure },
    )
  }
}

/** Checks that a new database can be created, before the old one is deleted. */
async function checkParent(run: Run): Promise<void> {
  const { context, preview, replaced } = run
  const { parentId, projectId, base } = await withParent(context, preview)
  if (parentId !== undefined) {
    const { status = 'of no known status' } = await readParent(run, projectId, parentId)
    if (!forkable.includes(status)) {
      throw new PreviewError(
        `the parent ${parentId} is ${status} and cannot be forked now: the preview ${base} is left as it is`,
        'run the step again once the parent is READY or PAUSED; a status like PAUSING passes by itself',
      )
    }
  }
  const former = replaced
    .map(({ forked_from }) => forked_from?.service_id)
    .find(origin => origin !== undefined && origin !== parentId)
  if (former !== undefined && preview.maskedFrom === undefined)
    context.log.info(
      `the preview ${base} is a fork of ${former}; the new one will be ${parentId ? `a fork of ${parentId}` : 'empty'}`,
    )
}

/** @throws PreviewError if a step without `masked` would replace masked data by the data of the parent */
function refuseToUnmask({ forked_from, service_id }: Service, preview: Preview, forks: Service[]): void {
  const origin = forks.find(fork => fork.service_id === forked_from?.service_id)
  const isMasked = origin !== undefined && parseMaskedName(origin.name) !== undefined
  if (!isMasked || preview.maskedFrom !== undefined || preview.parentId === undefined) return
  throw new PreviewError(
    `the preview ${preview.base} (service ${service_id}) is a fork of the masked copy ${origin.service_id}, and this step would replace it by a fork of ${preview.parentId}, which is not masked`,
    'set masked: true; if you want the data of the parent, first run `operation: delete-preview` with masked: true',
  )
}

function refusalError(service: Service, preview: Preview, reason: string, forks: Service[]): PreviewError {
  const fork = findFork(service, forks)
  const next =
    fork &&
    `delete service ${fork.service_id} first if it is no longer needed, then run the step again; or use another name_prefix`
  return notOwnedError(service, { ...preview, parentId: undefined }, reason, next)
}

/**
 * Checks that the reset can replace all existing databases, and marks them as replaced. Databases that other runs create
 * later are fresh already.
 * @throws PreviewError if one of them has another owner, or the parent cannot be forked
 */
export async function checkReplacement(run: Run): Promise<void> {
  const { context, observer, preview } = run
  const { alive } = observer
  run.replaced = alive.map(({ id }) => observer.record(id))
  // Previews of another prefix count as well.
  const forks = await listForks(context, preview.projectId)
  for (const service of run.replaced) {
    const reason = reasonNotToReset(service, preview, forks)
    if (reason !== undefined) throw refusalError(service, preview, reason, forks)
    refuseToUnmask(service, preview, forks)
  }
  await checkParent(run)
  for (const { id } of alive) observer.knowledgeOf(id).isReplaced = true
  observer.isReplacementChecked = true
}

/** Requests the deletion of one old database, after the same checks on a record just read. */
export async function deleteReplaced(run: Run, id: string): Promise<void> {
  const { context, observer, preview } = run
  const service = observer.record(id)
  let forks: Service[] = []
  let isRequested = false
  const reasonNow = async (record: Service) => {
    forks = await listForks(context, preview.projectId)
    const reason = reasonNotToReset(record, preview, forks)
    isRequested = reason === undefined
    return reason
  }
  const owner = { ...preview, parentId: undefined }
  try {
    const result = await deleteDatabase(context, service, owner, reasonNow)
    if (!result.deleted) throw refusalError(service, preview, result.reason, forks)
  } catch (failure) {
    if (!isRequested) throw failure
    // An earlier request may have been accepted, or still be in process.
    const isRefused = failure instanceof ApiError && !isTemporary(failure) && !failure.isAfterLostAnswer
    if (!isRefused || (await isKnownGoneOrEnding(context, run.idsOf(id)))) run.mayBeDeleted = id
    throw failure
  }
  run.deleted.replaced.push(id)
  observer.knowledgeOf(id).isDeletionAccepted = true
}

/** An old database is deleted or being deleted, and no new one exists yet. */
class HalfwayError extends PreviewError {}

/** The databases whose data is gone or may be, in words. Empty if there are none. */
function describeLoss({ deleted: { replaced }, mayBeDeleted }: Run): string {
  const losses: string[] = []
  if (replaced.length > 0)
    losses.push(`service ${replaced.join(', ')} is deleted or being deleted, and its data is gone`)
  if (mayBeDeleted !== undefined) losses.push(`service ${mayBeDeleted} may be deleted, with its data`)
  return losses.join('; ')
}

/** Whether an old database may be deleted, and neither this run nor another one has begun to create a new one. */
export function isHalfway(run: Run): boolean {
  const { observer, isCreating } = run
  return describeLoss(run) !== '' && !isCreating && observer.alive.every(({ isReplaced }) => isReplaced)
}

/** After the first deletion, the failure of a reset names the databases whose data is gone. */
export function explainLoss(run: Run, failure: unknown): unknown {
  const { context, observer, preview } = run
  if (!isHalfway(run) || observer.refusal !== undefined || context.signal.aborted) return failure
  const next =
    failure instanceof ActionError && !(failure instanceof WaitError) ? `${failure.next}; then ` : ''
  return new HalfwayError(
    `${describeLoss(run)}, but the preview ${preview.base} has no new database yet: ${messageOf(failure)}`,
    `${next}${continueAdvice}`,
    { cause: failure },
  )
}

/** Warns that old data is gone, unless the failure of the reset names it. */
export function warnOfLoss(run: Run, failure: unknown): void {
  const loss = describeLoss(run)
  if (loss !== '' && !(failure instanceof HalfwayError))
    run.context.log.warning(`${loss}: ${continueAdvice}, or continues with it`, 'the old data is gone')
}

/** The consequences of a reset for other jobs: the id and the address that changed. */
export function renderChanges(before: Service | undefined, after: Service | undefined): string {
  if (before === undefined) return 'there was no preview before: this one is new'
  const changes = [
    ['service_id', before.service_id, after?.service_id],
    ['host', before.endpoint?.host, after?.endpoint?.host],
    ['port', before.endpoint?.port, after?.endpoint?.port],
  ] as const
  const isSame = ([, old, now]: (typeof changes)[number]) => old === now
  const kept = changes.filter(isSame).map(([name]) => `${name} is the same`)
  const lines = changes
    .filter(change => !isSame(change))
    .map(([name, old = 'not known', now = 'not known']) => `${name} was ${old}, is ${now}`)
  const advice = 'the password is another one; other jobs get all of it from get-connection'
  return ['the preview has fresh data', ...lines, ...kept, advice].join('; ')
}

/** Replaces a database that no longer fits the migrations (`reset_on`), once a run. */
export async function replaceOutdated(run: Run, id: string): Promise<void> {
  const { context, observer } = run
  const { failure } = observer.knowledgeOf(id)
  if (run.desired.replaces) throw failure
  run.resetReason = messageOf(failure)
  context.log.notice(`reset_on: ${run.resetReason}, so the preview is reset`)
  run.desired = { ...run.desired, replaces: true }
  observer.outdateList()
}
