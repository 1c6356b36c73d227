import type { Service } from '../../api/records.ts'
import type { Outcome } from '../../operations/base/outcome.ts'
import type { Creation } from '../../operations/create/create-once.ts'
import type { PreviewContext } from '../base/context.ts'
import type { Preview } from '../base/identity.ts'
import type { PreviewParameters } from '../base/parameters.ts'
import { reasonAgainst } from '../on-github/reason-for-none.ts'
import { report } from '../on-github/report.ts'
import { assertRoom } from './limit.ts'
import { outcomeOf } from './made.ts'
import { type ForkStrategy, makePreview } from './make.ts'
import { withParent } from './masked-parent.ts'

/** A reason why the pull request gets no preview came up before the preview was made. */
export class NoneMeanwhileError extends Error {
  override name = 'NoneMeanwhileError'
}

/** The pull request may have been closed while this run waited until an earlier database was gone. */
export async function assertWanted(context: PreviewContext, preview: Preview): Promise<void> {
  const reason = await reasonAgainst(context, preview)
  if (reason !== undefined) throw new NoneMeanwhileError(reason)
}

/**
 * Makes a database for a preview that is still wanted, and says so in its comment.
 *
 * @param isReplacement it does not raise the number of previews
 * @param onStrategy told before each request how the data are forked, and from what
 */
export async function makeWanted(
  context: PreviewContext,
  preview: Preview,
  given: PreviewParameters,
  isReplacement: boolean,
  onStrategy: (strategy: ForkStrategy, parent: Preview) => void,
): Promise<Creation<Service>> {
  await assertWanted(context, preview)
  const making = await withParent(context, preview, { wait: true })
  if (!isReplacement) await assertRoom(context, preview)
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
