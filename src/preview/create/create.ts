import type { Service } from '../../api/records.ts'
import { isEnding } from '../../api/service-states.ts'
import { ActionError, messageOf } from '../../base/errors.ts'
import type { Outcome } from '../../operations/base/outcome.ts'
import { timed } from '../../operations/base/parts.ts'
import type { Creation } from '../../operations/create/create-once.ts'
import { tellParts } from '../../operations/wait/late.ts'
import { WaitError } from '../../operations/wait/wait-error.ts'
import type { PreviewContext } from '../base/context.ts'
import { findPreviews, identifyPreview, type Preview } from '../base/identity.ts'
import { maskedProblems, parentProblems } from '../base/inputs.ts'
import { type Origin, originOf, renderOrigin } from '../base/origin.ts'
import type { PreviewParameters } from '../base/parameters.ts'
import { PreviewError } from '../base/preview-error.ts'
import { checkConnection, setDerivedPassword } from '../connect/login.ts'
import { givePooler } from '../connect/pooler.ts'
import { removePreview } from '../end/remove.ts'
import { reasonAgainst, reasonByEvent, toHaveOne } from '../on-github/reason-for-none.ts'
import { describeQuarantine, describeService, report } from '../on-github/report.ts'
import { readMigrations } from '../prepare/migrations.ts'
import { Preparation, UnmarkedError } from '../prepare/preparation.ts'
import type { PreviewState } from '../prepare/state.ts'
import { type Converged, Convergence } from './converge.ts'
import { foresee } from './foresee.ts'
import { assertRoom } from './limit.ts'
import { type ForkStrategy, makePreview } from './make.ts'
import { withParent } from './masked-parent.ts'

/** A reason why the pull request gets no preview came up before the preview was made. */
class NoneMeanwhileError extends Error {
  override name = 'NoneMeanwhileError'
}

/**
 * Refuses inputs that do not say where the data of a new preview comes from. Checked only here, since many events make
 * no preview.
 */
function assertParentIsSaid(given: PreviewParameters, { settings }: PreviewContext): void {
  const { empty, masked } = settings.preview
  const [problem] = [
    ...parentProblems(given.service_id !== undefined, empty),
    ...maskedProblems(masked, given),
  ]
  if (problem !== undefined)
    throw new ActionError(problem, 'correct the inputs of the step; nothing was made')
}

/** What a reset does besides making a new preview. */
export interface Renewal {
  /** Why it is made anew, where nobody asked for it. */
  reason?: string | undefined
  /** Deletes the existing databases, and returns their ids. */
  clear(preview: Preview): Promise<string[]>
  /** What a dry run says instead. */
  foresee(preview: Preview): Promise<Pick<Outcome, 'skipped'>>
}

/** An outcome whose record is the database of the preview. */

export type Made = Outcome & { record?: Service | undefined }

const outcomeOf = (preview: Preview, service: Service | undefined): Made => ({
  operation: 'create-preview',
  resource: 'service',
  ids: { project_id: preview.projectId, ...(service && { service_id: service.service_id }) },
  record: service,
  result: service,
  pullRequest: preview.pullRequest,
})

function skip(context: PreviewContext, preview: Preview, reason: string): Made {
  context.log.info(`${reason}: no preview is made for it`)
  return { ...outcomeOf(preview, undefined), skipped: reason }
}

/** Why the preview is to be kept after all, for example because the pull request was reopened meanwhile. */
async function reasonToStay(context: PreviewContext, preview: Preview): Promise<string | undefined> {
  return (await reasonAgainst(context, preview)) === undefined ? toHaveOne(preview) : undefined
}

/**
 * Deletes the new preview when its pull request was closed, or lost its label, while it was being made: the run for
 * that event may have come too early to find it. `made` may not be listed yet.
 */
async function undo(
  context: PreviewContext,
  preview: Preview,
  made: Service | undefined,
  reason: string,
): Promise<Made> {
  context.log.info(`${reason} now, so its preview is deleted again`)
  const listed = await findPreviews(context, preview)
  const isListed = listed.some(({ service_id }) => service_id === made?.service_id)
  const found = [...listed, ...(made && !isListed ? [made] : [])].filter(service => !isEnding(service))
  const kept: string[] = []
  for (const service of found) {
    const owner = service.service_id === made?.service_id ? { ...preview, parentId: undefined } : preview
    const reasonNow = () => reasonToStay(context, preview)
    const removal = await removePreview(context, service, owner, { wait: true, reasonNow })
    if (!removal.deleted) kept.push(`${service.service_id} (${removal.reason})`)
  }
  if (kept.length === 0) await report(context, preview, { state: 'deleted' })
  return { ...skip(context, preview, reason), deleted: found.length > kept.length, changed: true }
}

/** The pull request may have been closed while this run waited until an earlier database was gone. */
async function assertWanted(context: PreviewContext, preview: Preview): Promise<void> {
  const reason = await reasonAgainst(context, preview)
  if (reason !== undefined) throw new NoneMeanwhileError(reason)
}

async function makeReported(
  context: PreviewContext,
  preview: Preview,
  given: PreviewParameters,
  replaced: string[],
  onStrategy: (strategy: ForkStrategy, parent: Preview) => void,
): Promise<Creation<Service>> {
  await assertWanted(context, preview)
  const making = await withParent(context, preview)
  // A replacement does not raise the number of previews.
  if (replaced.length === 0) await assertRoom(context, preview)
  await report(context, preview, {
    state: 'creating',
    data: making.parentId === undefined ? 'empty' : 'unknown',
    parentId: making.parentId,
  })
  const describe = (service: Service): Outcome => ({
    ...outcomeOf(preview, service),
    created: true,
    changed: true,
    initialPassword: service.initial_password,
  })
  // A snapshot of a masked copy may be older than the masking.
  const asked: PreviewParameters =
    preview.maskedFrom === undefined ? given : { ...given, fork_strategy: 'NOW' }
  return await makePreview(context, making, asked, describe, strategy => onStrategy(strategy, making))
}

/** Tells where the data of the preview comes from, and warns when the workflow now asks for an empty one. */
function tellOrigin({ log }: PreviewContext, preview: Preview, service: Service, origin: Origin): void {
  const { parentId, maskedFrom } = preview
  const { service_id } = service
  log.info(`the preview, service ${service_id}, is ${origin.parentId ? 'a ' : ''}${renderOrigin(origin)}`)
  if (parentId === undefined && maskedFrom === undefined && origin.parentId !== undefined)
    log.warning(
      `empty: true is asked for, but service ${service_id} was forked from ${origin.parentId} before — run \`operation: reset-preview\` to make it anew`,
      'not empty',
    )
}

/** Tells the workflow and the comment how to connect, once the preview is READY. */
async function present(
  context: PreviewContext,
  preview: Preview,
  { service, password, created, hasWaited }: Converged,
  origin: Origin,
): Promise<Made> {
  const record = context.settings.preview.pooler ? await givePooler(context, preview, service) : service
  const changed = created || hasWaited || record !== service
  const data = renderOrigin(origin)
  const outcome = { ...outcomeOf(preview, record), data, password, created, changed }
  tellOrigin(context, preview, service, origin)
  await checkConnection(context, outcome)
  return outcome
}

/** After a failure: why the pull request gets no preview. Another run may have deleted it for that reason. */
async function reasonForFailure(
  context: PreviewContext,
  preview: Preview,
  failure: unknown,
): Promise<string | undefined> {
  if (failure instanceof NoneMeanwhileError) return failure.message
  const isGone = failure instanceof PreviewError || failure instanceof WaitError
  return isGone ? await reasonAgainst(context, preview) : undefined
}

async function fail(
  context: PreviewContext,
  preview: Preview,
  made: Service | undefined,
  failure: unknown,
): Promise<never> {
  tellParts(context, failure)
  await report(context, preview, {
    state: 'failed',
    ...(made && { serviceId: made.service_id, createdAt: made.created }),
    problem: messageOf(failure),
    next: failure instanceof ActionError ? failure.next : undefined,
  })
  throw failure
}

/** The preview's database no longer fits the migrations of its pull request. */
class OutdatedError extends Error {
  override name = 'OutdatedError'
}

/** All that is done in the database, and said of it, before anybody gets the way in. */
async function handOver(
  context: PreviewContext,
  preview: Preview,
  preparation: Preparation,
  converged: Converged,
  origin: Origin,
): Promise<{ outcome: Made; state: PreviewState | undefined; origin: Origin }> {
  const { service, password } = converged
  const migrations = await readMigrations(context, preview)
  const finished = await preparation.finish(service, password, migrations)
  if ('outdated' in finished) throw new OutdatedError(finished.outdated)
  const told = { ...origin, maskedAt: finished.mark?.at }
  const outcome = await present(context, preview, converged, told)
  return { outcome, state: finished.state, origin: told }
}

/** How a run differs from one that only makes sure that there is a preview. */
export interface Course {
  renewal?: Renewal
  /** What to do with a database that no longer fits the migrations, for the reason. */
  onOutdated?: (reason: string) => Promise<Made>
}

/**
 * Gives a pull request its preview: one database, READY, quarantined and filled, with a password that any later job can
 * derive. Idempotent: run again, it gives the same database. A closed pull request gets none, nor does one without its
 * label. With `renewal`, the existing database is replaced.
 */
export async function createPreview(
  given: PreviewParameters,
  context: PreviewContext,
  { renewal, onOutdated }: Course = {},
): Promise<Made> {
  assertParentIsSaid(given, context)
  const seeds = await context.readSeeds()
  const preview = await identifyPreview(context, given)
  const reason = await reasonAgainst(context, preview, reasonByEvent(context, preview))
  if (reason !== undefined) return skip(context, preview, reason)
  if (context.settings.dryRun) {
    const foreseen = renewal ? await renewal.foresee(preview) : await foresee(context, preview, given)
    return { ...outcomeOf(preview, undefined), ...foreseen }
  }
  let cleared: string[] = []
  let strategy: ForkStrategy | undefined
  let making = preview
  const preparation = new Preparation(context, preview, seeds)
  const convergence = new Convergence(context, preview, {
    make: () =>
      makeReported(context, preview, given, cleared, (asked, from) => {
        strategy = asked
        making = from
      }),
    assertWanted: () => assertWanted(context, preview),
    claim: async (service, created) => {
      const password = await timed(context, 'setting the password', () =>
        setDerivedPassword(context, preview, service, created),
      )
      await preparation.quarantine(service, password)
      return password
    },
  })
  try {
    cleared = (await renewal?.clear(preview)) ?? []
    convergence.forget(cleared)
    const converged = await convergence.run()
    const { service, created } = converged
    const known = originOf(service, making.parentId, created ? strategy : undefined)
    const { outcome, state, origin } = await handOver(context, preview, preparation, converged, {
      ...known,
      parentName: making.parentName,
    })
    const late = await reasonAgainst(context, preview)
    if (late !== undefined) return await undo(context, preview, convergence.made, late)
    const commentUrl = await report(context, preview, {
      state: 'ready',
      ...describeService(service, context),
      ...origin,
      ...describeQuarantine(state?.quarantine?.report),
      resetReason: renewal?.reason,
    })
    return {
      ...outcome,
      commentUrl,
      quarantine: state?.quarantine?.report,
      resetReason: renewal?.reason,
    }
  } catch (failure) {
    context.signal.throwIfAborted()
    const late = await reasonForFailure(context, preview, failure)
    if (late !== undefined) return await undo(context, preview, convergence.made, late)
    const { made } = convergence
    if (failure instanceof UnmarkedError && made !== undefined)
      await removePreview(context, made, { ...preview, parentId: undefined }, { wait: false })
    if (failure instanceof OutdatedError && onOutdated) return await onOutdated(failure.message)
    return await fail(context, preview, convergence.made, failure)
  }
}
