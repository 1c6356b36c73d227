/** Decides whether to trust the history of a preview: the comment still shows a loss that was deleted from the note. */
import { renderAdvised } from '#base/errors'
import type { History, Noted } from '#contents/notes/migration-history'
import { hashLosses, type ShownLoss } from '#contents/rehearsal/result/losses'
import type { MigrationRun } from '#contents/rehearsal/result/stored'
import type { PullRequests } from '#preview/base/context'
import type { WithSettings } from './context.ts'
import type { CommentedPreview } from './noted.ts'

export interface Facts {
  noted: Noted
  /** The service of the database, if it is known. */
  serviceId: string | undefined
  preview: CommentedPreview | undefined
}

/** Whether the comment shows a loss on this database that the history lacks. */
async function isForgotten(
  context: PullRequests,
  { preview, serviceId, noted }: Facts,
  runs: MigrationRun[],
): Promise<boolean> {
  if (preview === undefined) return false
  const { pullRequest, base } = preview
  const shown = await context.github.readShownLoss(pullRequest, base)
  // The comment may be older than the history, so the hash of any earlier loss counts.
  if (shown === undefined || hashLosses(runs).includes(shown.hash)) return false
  // A loss without a preview is from a database without notes, or from an older release.
  const here = noted.serviceId ?? serviceId
  return shown.serviceId === undefined ? here !== undefined : shown.serviceId === (here ?? shown.serviceId)
}

/** The reason why the verdict on all runs is not certain. */
export async function reasonForDoubt(
  context: PullRequests & WithSettings<'rehearsal'>,
  facts: Facts,
  { runs, unreadable }: History,
): Promise<string | undefined> {
  if (unreadable !== undefined) return `the history of this preview cannot be read: ${unreadable}`
  if (context.settings.rehearsal.approveDestructive === undefined) return undefined
  try {
    return (await isForgotten(context, facts, runs))
      ? 'the comment shows a loss of data that is missing from the history in the database'
      : undefined
  } catch (failure) {
    context.signal.throwIfAborted()
    return `it is unknown whether an earlier loss of data was deleted from the history: ${renderAdvised(failure)}`
  }
}

/** The hash of the loss for the comment: a label set after the comment approves it. Undefined to keep the hash of the comment. */
export async function readLossToShow(
  context: PullRequests & WithSettings<'rehearsal' | 'preview'>,
  facts: Facts,
  runs: MigrationRun[],
): Promise<ShownLoss | undefined> {
  const { rehearsal, preview } = context.settings
  const hash = hashLosses(runs).at(-1)
  if (hash === undefined || !preview.comment) return undefined
  const loss = { hash, serviceId: facts.noted.serviceId }
  // If the history lacks a loss, a step that requires an approval writes no comment.
  if (rehearsal.approveDestructive !== undefined) return loss
  const isUncertain = await isForgotten(context, facts, runs).catch(() => true)
  context.signal.throwIfAborted()
  return isUncertain ? undefined : loss
}
