/** Restores the notes of a preview after SQL that deletes them, such as `lo_unlink` or vacuumlo. */
import { messageOf } from '#base/errors'
import { type Notes, readNotes } from '#contents/notes/notes'
import { restoreNotes } from '#contents/notes/restore-notes'
import type { Databases, Log } from '#operations/base/context'
import { noteLimits } from './noted-preview.ts'
import type { Target } from './target.ts'

export function warnOfRestored(log: Log, restored: string[]): void {
  if (restored.length > 0)
    log.warning(
      `notes of this action in the database changed while the SQL ran: ${restored.join(', ')}; they are restored — leave large objects with the comment "managed-database-action: …" alone, and run no vacuumlo`,
      'notes restored',
    )
}

async function tryToRestore({ withSession, log, signal }: Databases, { connection }: Target, before: Notes) {
  try {
    warnOfRestored(log, await withSession(connection, noteLimits, session => restoreNotes(session, before)))
  } catch (failure) {
    signal.throwIfAborted()
    log.warning(
      `it is unknown whether the SQL changed the notes of this action: ${messageOf(failure)}`,
      'notes not read',
    )
  }
}

/** Calls `runSql`, then restores the notes that changed meanwhile, even if it failed. */
export async function restoreNotesAfter<Result>(
  context: Databases,
  target: Target,
  runSql: () => Promise<Result>,
) {
  const before = await context
    .withSession(target.connection, noteLimits, readNotes)
    .catch((): Notes => new Map())
  context.signal.throwIfAborted()
  if (before.size === 0) return await runSql()
  try {
    return await runSql()
  } finally {
    if (!context.signal.aborted) await tryToRestore(context, target, before)
  }
}
