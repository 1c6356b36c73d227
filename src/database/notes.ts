/** Reads the notes of this action in a database, and restores those that a workflow's SQL changes, as by vacuumlo. */
import { ActionError } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import { type Noted, readNoted } from '#contents/notes/migration-history'
import { type Notes, readNotes } from '#contents/notes/notes'
import { restoreNotes } from '#contents/notes/restore-notes'
import { mostSchemaBytes } from '#contents/schema/schema'
import type { Databases, Log, Waiting } from '#operations/base/context'
import type { Triggered } from '#preview/base/context'
import { namePreview } from '#preview/base/identity'
import { parsePreviewBase, renderPreviewBase, usualPrefix } from '#preview/base/name'
import { inDatabase, type Target } from './target.ts'

/** Limits for reading and writing notes: milliseconds, and bytes of all answers. */
export const noteLimits = { timeout: 10_000, mostBytes: 2 * mostSchemaBytes }

/** The preview whose comment reports the migrations. */
export interface CommentedPreview {
  pullRequest: number
  base: string
}

/** The preview that the event and the inputs name; undefined without a pull request. */
function findNamedPreview(context: Waiting & Triggered): CommentedPreview | undefined {
  try {
    const { pullRequest, base } = namePreview(context)
    return pullRequest === undefined ? undefined : { pullRequest, base }
  } catch (failure) {
    context.log.debug(`no comment: ${messageOf(failure)}`)
    return undefined
  }
}

/**
 * The preview whose comment reports the migrations: the preview that the inputs and the event name. The note in the
 * database must agree. It adds only the prefix of the name, and only if `name_prefix` and `preview_name` are not set,
 * because code of the pull request may have written it.
 * @throws ActionError if the inputs or the event name another preview
 */
function findPreview(context: Waiting & Triggered, { preview }: Noted): CommentedPreview | undefined {
  const named = findNamedPreview(context)
  const base = preview?.preview
  const noted = base === undefined ? undefined : parsePreviewBase(base)
  if (named === undefined || noted === undefined || named.base === base) return named
  const { namePrefix, previewName } = context.settings.preview
  const isPrefixOpen = namePrefix === undefined && previewName === undefined
  const isSame = isPrefixOpen && renderPreviewBase({ ...noted, prefix: usualPrefix }) === named.base
  if (isSame) return { ...named, base: renderPreviewBase(noted) }
  throw new ActionError(
    `the database is the preview ${base}, and the step is about the preview ${named.base}`,
    'pass the database_url of that preview, or the name_prefix and pull_request of the database',
  )
}

/** The notes in a database, and the preview whose comment reports its migrations. */
export interface Facts {
  noted: Noted
  preview: CommentedPreview | undefined
}

/** @throws ActionError if the notes cannot be read, or the inputs or the event name another preview */
export async function readFacts(context: Databases & Triggered, target: Target): Promise<Facts> {
  const noted = await context.timeline.time('reading the notes of earlier runs', () =>
    inDatabase(context, target, noteLimits, session => readNoted(session, target.ids.service_id), {
      what: 'the notes of this action in the database',
      next: 'check the rights of the user',
    }),
  )
  return { noted, preview: findPreview(context, noted) }
}

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
