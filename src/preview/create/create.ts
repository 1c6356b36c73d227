import type { Service } from '../../api/records.ts'
import { ActionError, messageOf } from '../../base/errors.ts'
import type { Outcome } from '../../operations/base/outcome.ts'
import { tellParts } from '../../operations/wait/late.ts'
import { WaitError } from '../../operations/wait/wait-error.ts'
import type { PreviewContext } from '../base/context.ts'
import { identifyPreview, type Preview } from '../base/identity.ts'
import { maskedProblems, parentProblems } from '../base/inputs.ts'
import type { PreviewParameters } from '../base/parameters.ts'
import { PreviewError } from '../base/preview-error.ts'
import { reasonAgainst, reasonByEvent } from '../on-github/reason-for-none.ts'
import { describeQuarantine, describeService, report } from '../on-github/report.ts'
import { Attempt } from './attempt.ts'
import { foresee } from './foresee.ts'
import { OutdatedError } from './hand-over.ts'
import { type Made, outcomeOf } from './made.ts'
import { NoneMeanwhileError } from './make-wanted.ts'
import { skip, undo } from './undo.ts'

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
  const attempt = new Attempt(context, preview, given, seeds)
  try {
    attempt.replace((await renewal?.clear(preview)) ?? [])
    const { service, outcome, state, origin } = await attempt.run()
    const late = await reasonAgainst(context, preview)
    if (late !== undefined) return await undo(context, preview, attempt.made, late)
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
    if (late !== undefined) return await undo(context, preview, attempt.made, late)
    if (failure instanceof OutdatedError && onOutdated) return await onOutdated(failure.message)
    return await fail(context, preview, attempt.made, failure)
  }
}
