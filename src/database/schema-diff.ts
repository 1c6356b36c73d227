import { type Birth, readBirth } from '../contents/database/birth.ts'
import { mostOfSchema, type SchemaDiff } from '../contents/schema/schema.ts'
import type { GivenParameters } from '../operations/base/context.ts'
import type { Outcome } from '../operations/base/outcome.ts'
import { StatementError } from '../postgres/session.ts'
import type { PreviewContext } from '../preview/base/context.ts'
import { tellDiff } from './migrations.ts'
import { compare, readSchemaOf } from './schemas.ts'
import { explain } from './talk.ts'
import { findTarget, type Target, TargetError } from './target.ts'

const operation = 'schema-diff'

/** What a database began with, and how it differs now. */
interface Compared {
  birth: Birth
  diff: SchemaDiff
}

/** Undefined where nothing is kept that is of this database. */
async function compareWithBirth(
  context: PreviewContext,
  { connection, ids }: Target,
): Promise<Compared | undefined> {
  const { seam, deadline, signal } = context
  const options = { timeout: Math.max(1000, deadline - seam.now()), mostBytes: 2 * mostOfSchema }
  try {
    return await context.withSession(connection, options, async session => {
      const birth = await readBirth(session)
      if (birth === undefined || birth.serviceId !== (ids.service_id ?? birth.serviceId)) return undefined
      return { birth, diff: await compare(context, birth.schema, await readSchemaOf(session, context)) }
    })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof StatementError)) throw explain(connection, error)
    throw new TargetError(
      `the schema cannot be read: ${error.message} (SQLSTATE ${error.code})`,
      'check the rights of the user, and whether a statement holds a lock',
      { cause: error },
    )
  }
}

/** `+3 −1 ~2`; none where nothing differs. */
const renderCounts = ({ added, removed, changed }: SchemaDiff) => `+${added} −${removed} ~${changed}`

/**
 * Compares the schema of a database with the one that it began with, which the run that made the preview kept in it.
 *
 * @throws TargetError where it cannot be read; what `findTarget` throws
 */
export async function schemaDiff(given: GivenParameters, context: PreviewContext): Promise<Outcome> {
  const target = await findTarget(given, context)
  const { ids, pullRequest } = target
  const outcome: Outcome = { operation, ids, pullRequest }
  if (context.settings.dryRun) return { ...outcome, skipped: 'dry run: would compare the schema' }
  if ('skipped' in target) return { operation, ...target }
  const compared = await compareWithBirth(context, target)
  if (compared === undefined)
    return {
      ...outcome,
      skipped:
        'no schema to compare with is kept in this database: previews have one from their creation on, older ones after reset-preview',
    }
  const { birth, diff } = compared
  const { commentUrl, problem } = await tellDiff(context, target, diff)
  const since = `since service ${birth.serviceId} began, ${birth.at}`
  return {
    ...outcome,
    ...{ diff, commentUrl, problem },
    done: diff.text === '' ? `no difference ${since}` : `${renderCounts(diff)} ${since}`,
  }
}
