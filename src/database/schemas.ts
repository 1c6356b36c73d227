import { messageOf } from '../base/errors.ts'
import { mostOfSchema, type Schema, type SchemaDiff } from '../contents/schema/schema.ts'
import type { Session } from '../postgres/session.ts'
import type { PreviewContext } from '../preview/base/context.ts'
import { mostLines } from './talk.ts'
import type { Target } from './target.ts'

/** Reads the schema of a database as the inputs ask for it. */
export async function readSchemaOf(session: Session, { settings }: PreviewContext): Promise<Schema> {
  // Files of their own, each of which several operations load.
  const { readSchema } = await import('../contents/schema/read-schema.ts')
  return await readSchema(session, { grants: settings.contents.grants })
}

/** Compares two schemas, and says in the log how they differ. */
export async function compare({ log }: PreviewContext, before: Schema, after: Schema): Promise<SchemaDiff> {
  const { compareSchemas } = await import('../contents/schema/compare-schemas.ts')
  const diff = compareSchemas(before, after)
  const lines = diff.text === '' ? [] : diff.text.split('\n')
  for (const line of lines.slice(0, mostLines)) log.info(line)
  if (lines.length > mostLines) log.info(`… and ${lines.length - mostLines} more lines: the summary has them`)
  return diff
}

/** Reads a schema where that is not all that is wanted: undefined, with a warning, where it fails. */
export async function tryToReadSchema(
  context: PreviewContext,
  { connection }: Target,
): Promise<Schema | undefined> {
  const { seam, deadline, signal, log } = context
  const options = { timeout: Math.max(1000, deadline - seam.now()), mostBytes: mostOfSchema }
  try {
    return await context.withSession(connection, options, session => readSchemaOf(session, context))
  } catch (failure) {
    signal.throwIfAborted()
    log.warning(
      `the schema cannot be read, so there is no diff of it: ${messageOf(failure)}`,
      'schema not compared',
    )
    return undefined
  }
}
