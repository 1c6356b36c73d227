/** Refuses to rehearse a migration on a database that is not a preview, before anything is run on it. */
import { StatementError } from '../postgres/session.ts'
import type { PreviewContext } from '../preview/base/context.ts'
import { isPreview } from './kept-runs.ts'
import { describeDatabase, explain } from './talk.ts'
import { type Target, TargetError } from './target.ts'

/** Milliseconds until the note is read, and the most bytes that the server may send. */
const limits = { timeout: 30_000, mostBytes: 1024 * 1024 }

/** Why the database does not count as a preview; undefined if it holds the note of one. */
async function findObjection(
  context: PreviewContext,
  { connection, ids }: Target,
): Promise<string | undefined> {
  try {
    const isNoted = await context.withSession(connection, limits, session =>
      isPreview(session, ids.service_id),
    )
    return isNoted ? undefined : 'it holds no valid note of one'
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof StatementError)) throw explain(connection, error)
    return `the note of one cannot be read (${error.message}, SQLSTATE ${error.code})`
  }
}

/**
 * Makes sure that the database holds the note that runs of this action write into a preview.
 *
 * @throws TargetError if it does not, unless `allow_any_database` is set; UnreachableError
 */
export async function requirePreview(context: PreviewContext, target: Target): Promise<void> {
  const objection = await findObjection(context, target)
  if (objection === undefined) return
  const message = `${describeDatabase(target.connection)} is not a preview of this action: ${objection}`
  if (!context.settings.rehearsal.allowAnyDatabase)
    throw new TargetError(
      `${message}. Nothing was run`,
      'name a preview, or set `allow_any_database: true` if the migration may change this database permanently',
    )
  context.log.warning(`${message}. The migration changes it permanently`, 'not a preview')
}
