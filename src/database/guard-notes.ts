/** Keeps the notes of a preview, whatever SQL is run on it: `lo_unlink` and vacuumlo delete them. */
import { messageOf } from '../base/errors.ts'
import { type Notes, readNotes, restoreNotes } from '../contents/database/kept.ts'
import type { PreviewContext } from '../preview/base/context.ts'
import { limits } from './noted.ts'
import type { Target } from './target.ts'

async function restore({ withSession, log, signal }: PreviewContext, { connection }: Target, before: Notes) {
  let restored: string[]
  try {
    restored = await withSession(connection, limits, session => restoreNotes(session, before))
  } catch (failure) {
    signal.throwIfAborted()
    log.warning(
      `whether the SQL deleted the notes of this action is not known: ${messageOf(failure)}`,
      'notes not read',
    )
    return
  }
  if (restored.length > 0)
    log.warning(
      `the SQL deleted notes that this action stores as large objects (${restored.join(', ')}); they were written again — leave large objects with the comment "managed-database-action: …" alone`,
      'notes deleted',
    )
}

/** Runs `act`, and writes the notes again that it deleted. */
export async function guardNotes<Result>(
  context: PreviewContext,
  target: Target,
  act: () => Promise<Result>,
): Promise<Result> {
  const before = await context
    .withSession(target.connection, limits, readNotes)
    .catch(() => new Map() as Notes)
  context.signal.throwIfAborted()
  if (before.size === 0) return await act()
  try {
    return await act()
  } finally {
    if (!context.signal.aborted) await restore(context, target, before)
  }
}
