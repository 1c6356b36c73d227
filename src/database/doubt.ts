/** Decides whether the history of migrations is complete, by the comment: code of a pull request cannot change it. */
import { renderAdvised } from '#base/errors'
import type { History } from '#contents/notes/migration-history'
import { hashLosses, type ShownLoss } from '#contents/rehearsal/result/losses'
import type { MigrationRun } from '#contents/rehearsal/result/stored'
import type { PullRequests } from '#preview/base/context'
import type { WithSettings } from './context.ts'
import type { Facts } from './notes.ts'

/** Whether the comment shows a loss on this database that the history lacks. */
async function lacksShownLoss(
  context: PullRequests,
  { preview, noted: { serviceId } }: Facts,
  runs: MigrationRun[],
): Promise<boolean> {
  if (preview === undefined) return false
  const { pullRequest, base } = preview
  const shown = await context.github.readShownLoss(pullRequest, base)
  // The comment may be older than the history, so the hash of any earlier loss counts.
  if (shown === undefined || hashLosses(runs).includes(shown.hash)) return false
  // The comment names no service for a database without notes, or if an older release wrote it.
  if (shown.serviceId === undefined) return serviceId !== undefined
  return serviceId === undefined || serviceId === shown.serviceId
}

/** The reason why the verdict on all runs is uncertain; undefined if it is certain. */
export async function findDoubt(
  context: PullRequests & WithSettings<'rehearsal'>,
  facts: Facts,
  { runs, unreadable }: History,
): Promise<string | undefined> {
  if (unreadable !== undefined) return `the history of this preview cannot be read: ${unreadable}`
  if (context.settings.rehearsal.approveDestructive === undefined) return undefined
  try {
    return (await lacksShownLoss(context, facts, runs))
      ? 'the comment shows a loss of data that is missing from the history in the database'
      : undefined
  } catch (failure) {
    context.signal.throwIfAborted()
    return `it is unknown whether an earlier loss of data was deleted from the history: ${renderAdvised(failure)}`
  }
}

/** The last loss, for the comment, where a label can approve it. Undefined to keep the loss in the comment. */
export async function readLossToShow(
  context: PullRequests & WithSettings<'rehearsal' | 'preview'>,
  facts: Facts,
  runs: MigrationRun[],
): Promise<ShownLoss | undefined> {
  const { rehearsal, preview } = context.settings
  const hash = hashLosses(runs).at(-1)
  if (hash === undefined || !preview.comment) return undefined
  const loss = { hash, serviceId: facts.noted.preview?.service_id }
  // Then `findDoubt` has compared the history with the comment, and an incomplete history leads to no comment.
  if (rehearsal.approveDestructive !== undefined) return loss
  const isUncertain = await lacksShownLoss(context, facts, runs).catch(() => true)
  context.signal.throwIfAborted()
  return isUncertain ? undefined : loss
}
