/** Prepares the database of a preview: quarantine, schema baseline, seed files, notes. */
import type { MaskingStamp } from '#contents/notes/masking-stamp'
import type { PreviewNote } from '#contents/notes/preview-note'
import type { Calls, Databases } from '#operations/base/context'
import { reportUnreachable } from '#operations/quarantine'
import type { ConnectPolicy } from '#operations/wait/connect'
import { waitFor } from '#operations/wait/wait-log'
import type { WithSettings } from '../base/context.ts'
import { previewBaseOf } from '../base/name.ts'
import { PreviewError } from '../base/preview-error.ts'
import { ageOf, mayNameParentLate, readNewestRecord } from '../base/services.ts'
import { checkInterval, type PreparationTask, type Visit, visitDatabase } from './database-access.ts'
import { type Migrations, reasonToReset } from './migrations.ts'
import {
  ensureQuarantine,
  fill,
  isQuarantineNeeded,
  requireMaskingStamp,
  storeSchemaBaseline,
} from './preparation-steps.ts'

/** Milliseconds to try a database that need not be reachable, but has to be prepared. */
const shortPatience = 10_000

/** Milliseconds to try a database that only needs a note. */
const noteOnlyPatience = 1500

/** Milliseconds after creation for which a database without a note may still be in preparation by its own run. */
const preparationTime = 5 * 60_000

/** The need for a quarantine is unknown: the database is unreachable, and its record names no parent yet. */
export class QuarantineUnknownError extends Error {
  override name = 'QuarantineUnknownError'
}

/** The state in which a run found the database, after its own preparation. */
export type Finished =
  | { state: PreviewNote | undefined; stamp?: MaskingStamp | undefined }
  | { outdated: string }

export type Preparing = Calls & Databases & WithSettings<'keepActive' | 'preview' | 'quarantine' | 'wait'>

/** Whether the database is so old that no run can still be preparing it for the first time. */
const isOld = (context: Preparing, { service, firstTriedAt }: PreparationTask) =>
  (ageOf(context, service) ?? context.seam.now() - firstTriedAt) >= preparationTime

/** How long to try to connect for the requested preparation, and how to react if the database is unreachable. */
function connectPolicy(
  context: Preparing,
  task: PreparationTask,
  mayNeed = async () => isQuarantineNeeded(context, task),
): ConnectPolicy {
  const { resetOn, masked } = context.settings.preview
  const { service_id } = task.service
  const hasSeeds = task.seeds !== undefined && task.seeds.length > 0
  const isNeeded = masked || isQuarantineNeeded(context, task) || hasSeeds || resetOn !== undefined
  const elsewhere = 'run the step where the database can be reached (VPC, firewall)'
  const onUnreachable = async (reason: string) => {
    const unreachable = `its database is unreachable from this runner: ${reason}`
    if (masked)
      throw new PreviewError(
        `cannot check whether service ${service_id} is masked: ${unreachable}`,
        elsewhere,
      )
    if (hasSeeds)
      throw new PreviewError(
        `service ${service_id} is not filled by seed_file: ${unreachable}`,
        `${elsewhere}, or without seed_file`,
      )
    if (await mayNeed()) reportUnreachable(context, service_id, reason)
  }
  return { patience: isNeeded ? shortPatience : noteOnlyPatience, onUnreachable }
}

/** Records that an old database has no note: something deleted it, and the measurements of earlier runs with it. */
function markLostNote(context: Preparing, visit: Visit): Visit {
  if (visit.isNoted || !isOld(context, visit)) return visit
  context.log.warning(
    `service ${visit.service.service_id} is not new, but has no note of this action: a run ended early, or a program such as vacuumlo deleted the note. The step prepares the service again, with quarantine and seed_file; schema-diff compares with its present schema`,
    'note missing',
  )
  return { ...visit, state: { ...visit.state, notes_lost: true } }
}

/**
 * Quarantines the database, if needed. Call it as soon as the service is READY, because copied jobs are active until
 * then. If the database is unreachable, `finishPreparation` tries again. Returns false if it is unknown whether it is a fork.
 * @throws ActionError if a strict quarantine fails
 */
export async function quarantineIfNeeded(
  context: Preparing,
  task: PreparationTask,
  isParentPending: boolean,
): Promise<boolean> {
  const isNeeded = isQuarantineNeeded(context, task)
  if (!isNeeded && (!isParentPending || context.settings.quarantine === false)) return true
  const isOriginNoted = await visitDatabase(context, task, { patience: shortPatience }, async visit => {
    if (isNeeded) await ensureQuarantine(context, markLostNote(context, visit))
    const { quarantine, ready, fork } = visit.state
    return quarantine !== undefined || (ready && fork === undefined)
  })
  return isNeeded || isOriginNoted === true
}

/** Does all missing work: quarantine, schema baseline, seed files, note. Idempotent. @throws ActionError if a strict quarantine or a file fails */
export async function finishPreparation(
  context: Preparing,
  task: PreparationTask,
  { migrations, fork }: { migrations?: Migrations | undefined; fork?: PreviewNote['fork'] },
): Promise<Finished> {
  const policy = connectPolicy(context, task)
  const finished = await visitDatabase(context, task, policy, async (opened): Promise<Finished> => {
    const visit = markLostNote(context, opened)
    const stamp = await requireMaskingStamp(context, visit)
    const secured = await ensureQuarantine(context, visit)
    const outdated = visit.state.ready ? reasonToReset(context, secured.migrations, migrations) : undefined
    if (outdated !== undefined) return { outdated }
    const based = await storeSchemaBaseline(context, visit, secured)
    const filled = await fill(context, visit, based)
    const { problem: _oldProblem, adopted: _wasAdopted, ...kept } = filled
    // If there are no files, the earlier note stays, since they may return.
    const hasFiles = Object.keys(migrations?.blobs ?? {}).length > 0
    const state = {
      ...kept,
      ready: true,
      migrations: hasFiles ? migrations : kept.migrations,
      fork: kept.fork ?? fork,
      preview: task.base,
    }
    const text = JSON.stringify(state)
    if (text !== JSON.stringify(secured)) await visit.database.writeNote(text)
    return { state, stamp }
  })
  return finished ?? { state: undefined }
}

/** Whether a run has finished the database; true if it is unreachable. Changes nothing. */
export async function isFinished(context: Preparing, task: PreparationTask): Promise<boolean> {
  const policy = { patience: shortPatience }
  return (await visitDatabase(context, task, policy, async ({ state }) => state.ready)) ?? true
}

/** Accepts a database without notes as it is, after its quarantine. */
async function adopt(context: Preparing, visit: Visit): Promise<PreviewNote> {
  // A young record may not have named its parent when this run began.
  const service = await readNewestRecord(context, visit.service)
  const preview = previewBaseOf(visit.base)
  const quarantined = await ensureQuarantine(context, { ...visit, service })
  const state: PreviewNote = { ...quarantined, adopted: true, notes_lost: true }
  if (preview) state.preview = preview
  await visit.database.writeNote(JSON.stringify(state))
  const condition = state.quarantine ? 'quarantined, but perhaps' : 'perhaps'
  context.log.warning(
    `no run has noted that it finished the database of ${visit.base}: it is published as it is, ${condition} without seed_file; create-preview finishes it`,
    'not finished',
  )
  return state
}

/** The state for a run that only connects; undefined while the creating run is not done. */
async function readFinished(context: Preparing, visit: Visit) {
  const { state, isNoted, base } = visit
  await requireMaskingStamp(context, visit)
  // The creating run may have requested no quarantine.
  if (state.ready || state.adopted) return state.quarantine ? await ensureQuarantine(context, visit) : state
  if (state.problem !== undefined)
    throw new PreviewError(
      `the database of ${base} is not finished: ${state.problem}`,
      'correct that, and run create-preview (or preview) again',
    )
  return !isNoted && isOld(context, visit) ? await adopt(context, visit) : undefined
}

/** Whether an unreachable database needs a quarantine. @throws QuarantineUnknownError if waiting may show it */
async function mayNeedQuarantine(context: Preparing, task: PreparationTask, mayWait: boolean) {
  const record = await readNewestRecord(context, task.service)
  if (isQuarantineNeeded(context, { ...task, service: record })) return true
  const isUnknown = context.settings.quarantine !== false && mayNameParentLate(context, record)
  const unknown = `service ${record.service_id} names no parent yet`
  if (isUnknown && mayWait) throw new QuarantineUnknownError(unknown)
  if (isUnknown) context.log.info(`${unknown}: it may be a fork`)
  return isUnknown
}

/**
 * Waits until the database may be published, for a run that only connects. Quarantines an old one without notes.
 * @param mayWait the caller waits for the parent of a young record that names none
 * @throws PreviewError if it is not finished by the deadline; QuarantineUnknownError
 */
export async function waitUntilFinished(
  context: Preparing,
  task: PreparationTask,
  mayWait: boolean,
): Promise<PreviewNote | undefined> {
  const { seam, deadline, settings } = context
  const policy = connectPolicy(context, task, () => mayNeedQuarantine(context, task, mayWait))
  // A young record may not name its parent yet, and its database may not take connections yet.
  if (!isOld(context, task)) policy.patience = shortPatience
  const finished = await waitFor(context, {
    what: `for the database of ${task.base} to be finished`,
    why: 'the run that creates it has not quarantined or filled it yet',
    interval: checkInterval,
    until: settings.wait ? deadline : seam.now(),
    check: async () => {
      const visited = await visitDatabase(context, task, policy, async visit => ({
        state: await readFinished(context, visit),
      }))
      if (visited === undefined) return { state: undefined }
      return visited.state === undefined ? undefined : visited
    },
  })
  if (finished !== undefined) return finished.state
  throw new PreviewError(
    `the database of ${task.base} is not finished: no run has prepared it to the end`,
    'run create-preview (or preview) for it, then run the step again',
  )
}
