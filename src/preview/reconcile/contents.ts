/** The steps of a reconciliation in the database itself: prepare its contents, and try a connection. */
import type { Service } from '#api/records'
import { messageOf } from '#base/unknown-values'
import type { PreviewNote } from '#contents/notes/preview-note'
import { logAndPause } from '#operations/wait/wait-log'
import { outcomeOf, type PreviewOutcome } from '../base/identity.ts'
import { type Origin, originOf, renderOrigin } from '../base/origin.ts'
import { cpuOf, isLarge, isYoung, renderSize } from '../base/services.ts'
import { renderExpiry } from '../on-github/preview-report.ts'
import { readMigrations } from '../prepare/migrations.ts'
import { finishPreparation } from '../prepare/preparation.ts'
import { compareMaskingRules, MissingStampError } from '../prepare/preparation-steps.ts'
import { isKnownGoneOrEnding, waitUntilGone } from '../services/delete.ts'
import { checkConnection } from '../services/login.ts'
import { enablePooler } from '../services/ready.ts'
import type { Run } from './run.ts'

/** Upper limit for databases that other runs delete during the preparation. At the next one, the run fails. */
const mostLosses = 3

export function originFor(run: Run, id: string): Origin {
  const { observer, parent, strategy } = run
  const { parentId, parentName } = parent
  const origin = originOf(observer.record(id), parentId, observer.isCreatedHere(id) ? strategy : undefined)
  const maskedAt = observer.knowledgeOf(id).finished?.stamp?.at
  return { ...origin, parentName: origin.parentId === parentId ? parentName : undefined, maskedAt }
}

/** Facts on the fork for the note: the date of its data, and its CPU beside that of the parent. */
async function describeFork(run: Run, id: string): Promise<PreviewNote['fork']> {
  const { context, observer, inputs } = run
  const { data, parentId, createdAt } = originFor(run, id)
  // A masked copy is neither as fresh as its source nor of the same size.
  if (parentId === undefined || data === 'empty' || context.settings.preview.masked) return undefined
  const cpu = cpuOf(observer.record(id))
  const fork = { data, created_at: createdAt, cpu_millis: cpu }
  if (!observer.isCreatedHere(id)) return fork
  if (inputs.given?.cpu_millis === undefined) return { ...fork, parent_cpu_millis: cpu }
  // A failure counts as an unknown size, which is only for information.
  const parent = await context.client.call('get-service', run.idsOf(parentId)).catch(() => {
    context.signal.throwIfAborted()
    return {}
  })
  return { ...fork, parent_cpu_millis: cpuOf(parent) }
}

/** Whether another run deletes the database. Without a masking stamp, its creating run is about to delete it. */
async function isDeletedByOtherRun({ context, idsOf }: Run, service: Service, failure: unknown) {
  const ids = idsOf(service.service_id)
  if (await isKnownGoneOrEnding(context, ids)) return true
  if (!(failure instanceof MissingStampError && isYoung(context, service))) return false
  await logAndPause(context, context.settings.listLag, {
    what: `for the run that created service ${service.service_id} to delete it`,
    why: 'it has no masking stamp',
  })
  return await isKnownGoneOrEnding(context, ids)
}

/** Runs `act`. If it fails because another run deletes the database, as a reset does, the loop continues with the next. */
async function unlessDeletedByOtherRun(run: Run, id: string, act: () => Promise<void>): Promise<void> {
  const { context, observer } = run
  try {
    await act()
  } catch (failure) {
    context.signal.throwIfAborted()
    if (run.losses === mostLosses || !(await isDeletedByOtherRun(run, observer.record(id), failure)))
      throw failure
    run.losses += 1
    context.log.info(`service ${id} is being deleted by another run (${messageOf(failure)})`)
    await waitUntilGone(context, run.idsOf(id))
    observer.noteGone(id)
  }
}

export async function prepare(run: Run, id: string): Promise<void> {
  const { context, observer, preview } = run
  const known = observer.knowledgeOf(id)
  await unlessDeletedByOtherRun(run, id, async () => {
    const fork = await describeFork(run, id)
    const given = { migrations: await readMigrations(context, preview), fork }
    try {
      const finished = await finishPreparation(context, run.preparationTaskOf(id), given)
      if ('outdated' in finished) {
        known.failure = new Error(finished.outdated)
        known.contents = 'outdated'
        return
      }
      await compareMaskingRules(context, id, finished.stamp)
      known.finished = finished
      known.contents = 'prepared'
    } catch (failure) {
      if (!(failure instanceof MissingStampError && observer.isCreatedHere(id))) throw failure
      known.failure = failure
      known.contents = 'unmasked'
    }
  })
}

function logOrigin({ context: { log }, preview }: Run, id: string, origin: Origin): void {
  log.info(`the preview, service ${id}, is ${origin.parentId ? 'a ' : ''}${renderOrigin(origin)}`)
  if (preview.parentId === undefined && preview.maskedFrom === undefined && origin.parentId !== undefined)
    log.warning(
      `empty: true is set, but service ${id} was forked from ${origin.parentId} before — run \`operation: reset-preview\` to recreate it`,
      'not empty',
    )
}

/** Cost and lifetime of the preview: a fork is as large as its parent unless the inputs give a size. */
function logCost({ context, inputs }: Run, service: Service): void {
  const { service_id } = service
  const size = renderSize(service)
  const expiry = renderExpiry(service.created, context.settings.preview)
  const end =
    expiry === undefined ? 'deleted when its pull request closes, as no max_age is set' : `expires ${expiry}`
  context.log.info(`service ${service_id}: ${size === undefined ? '' : `${size}; `}${end}`)
  if (isLarge(service) && inputs.given?.cpu_millis === undefined)
    context.log.warning(
      `service ${service_id} has ${size}, like its parent, and costs as much — set \`cpu_millis: 500\` and \`memory_gbs: 2\`, then run \`operation: reset-preview\` for previews that exist`,
      'large preview',
    )
}

/** The outcome with connection details, as far as the record shows them. */
export function outcomeFor({ observer, preview }: Run, id: string, origin: Origin): PreviewOutcome {
  const { password, isChanged, isPasswordNew = false } = observer.knowledgeOf(id)
  const record = observer.record(id)
  const created = observer.isCreatedHere(id)
  const changed = created || observer.hasWaited || isChanged === true
  const data = renderOrigin(origin)
  return { ...outcomeOf(preview, record), data, password, created, changed, connectionChanged: isPasswordNew }
}

export async function connect(run: Run, id: string): Promise<void> {
  const { context, observer } = run
  await unlessDeletedByOtherRun(run, id, async () => {
    const service = observer.record(id)
    const record = context.settings.preview.pooler
      ? await enablePooler(context, run.idsOf(id), service)
      : service
    observer.knowledgeOf(id).isChanged = record !== service
    observer.knowledgeOf(id).connected = record
    const origin = originFor(run, id)
    logOrigin(run, id, origin)
    logCost(run, record)
    await checkConnection(context, outcomeFor(run, id, origin))
  })
}
