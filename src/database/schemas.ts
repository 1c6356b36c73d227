/** Reads and compares the schemas of a preview: its baseline, and those before and after a migration. */
import { messageOf } from '#base/unknown-values'
import { readSchemaBaseline, type SchemaBaseline } from '#contents/notes/schema-baseline'
import { mostSchemaBytes, type SchemaDiff } from '#contents/schema/schema'
import type { Databases, Waiting } from '#operations/base/context'
import type { Session } from '#postgres/session'
import { mostLines } from './scripts.ts'
import { type Target, timeLeft } from './target.ts'

export const linesOf = ({ text }: SchemaDiff): string[] => (text === '' ? [] : text.split('\n'))

export function logDiff({ log }: Waiting, diff: SchemaDiff): void {
  const lines = linesOf(diff)
  for (const line of lines.slice(0, mostLines)) log.info(line)
  if (lines.length > mostLines) log.info(`… and ${lines.length - mostLines} more lines: the summary has them`)
}

/** The schema baseline of a preview. Undefined if there is none, or only that of the parent, which a fork inherits. */
export async function readBaselineOf(session: Session, { ids }: Target): Promise<SchemaBaseline | undefined> {
  const baseline = await readSchemaBaseline(session)
  if (ids.service_id === undefined) return baseline
  return baseline?.serviceId === ids.service_id ? baseline : undefined
}

/** Reads schemas for an operation that succeeds without them: a failure is a warning. */
export async function tryToReadSchema<Result>(
  context: Databases,
  { connection }: Target,
  read: (session: Session) => Promise<Result>,
): Promise<Result | undefined> {
  const { signal, log } = context
  const options = { timeout: timeLeft(context), mostBytes: 2 * mostSchemaBytes }
  try {
    return await context.timeline.time('reading the schema', () =>
      context.withSession(connection, options, read),
    )
  } catch (failure) {
    signal.throwIfAborted()
    log.warning(
      `the schema cannot be read, so there is no diff of it: ${messageOf(failure)}`,
      'schema not compared',
    )
    return undefined
  }
}
