/** Decides whether the history of a preview can be believed: the comment remembers a loss that somebody erased. */
import { renderAdvised } from '#base/errors'
import type { History, Noted } from '#contents/notes/migration-history'
import { hashLosses, type ShownLoss } from '#contents/rehearsal/result/losses'
import type { MigrationRun } from '#contents/rehearsal/result/stored'
import { timed } from '#operations/base/timeline'
import type { PullRequests } from '#preview/base/context'
import type { WithSettings } from './context.ts'
import type { CommentedPreview } from './noted.ts'

/** What is known when a verdict is given. */
export interface Facts {
  noted: Noted
  /** Of the service that the database belongs to, where it is known. */
  serviceId: string | undefined
  preview: CommentedPreview | undefined
}

/** Whether the comment shows a loss on this database that is no longer in its history. */
async function isForgotten(
  context: PullRequests,
  { preview, serviceId, noted }: Facts,
  runs: MigrationRun[],
): Promise<boolean> {
  if (preview === undefined) return false
  const { pullRequest, base } = preview
  const shown = await timed(context, 'reading the comment', () =>
    context.github.readShownLoss(pullRequest, base),
  )
  // The comment may be older than the history: any earlier state of it counts.
  if (shown === undefined || hashLosses(runs).includes(shown.hash)) return false
  // A loss that names no preview is that of a database in which nothing is stored, or an older release wrote it.
  const here = noted.serviceId ?? serviceId
  return shown.serviceId === undefined ? here !== undefined : shown.serviceId === (here ?? shown.serviceId)
}

/** Why the verdict on all runs is not certain. */
export async function reasonForDoubt(
  context: PullRequests & WithSettings<'rehearsal'>,
  facts: Facts,
  { runs, unreadable }: History,
): Promise<string | undefined> {
  if (unreadable !== undefined)
    return `what earlier runs measured on this preview cannot be read: ${unreadable}`
  if (context.settings.rehearsal.approveDestructive === undefined) return undefined
  try {
    return (await isForgotten(context, facts, runs))
      ? 'the comment shows a loss of data that the history in the database no longer holds'
      : undefined
  } catch (failure) {
    context.signal.throwIfAborted()
    return `whether an earlier loss of data was erased is not known: ${renderAdvised(failure)}`
  }
}

/**
 * The hash of the loss for the comment, so that a label that is set from now on approves it; undefined to leave the hash that
 * the comment has.
 */
export async function readLossToShow(
  context: PullRequests & WithSettings<'rehearsal' | 'preview'>,
  facts: Facts,
  runs: MigrationRun[],
): Promise<ShownLoss | undefined> {
  const { rehearsal, preview } = context.settings
  const hash = hashLosses(runs).at(-1)
  if (hash === undefined || !preview.comment) return undefined
  const loss = { hash, serviceId: facts.noted.serviceId }
  // A step that asks for an approval writes no comment if the history has lost a loss.
  if (rehearsal.approveDestructive !== undefined) return loss
  const isUncertain = await isForgotten(context, facts, runs).catch(() => true)
  context.signal.throwIfAborted()
  return isUncertain ? undefined : loss
}
