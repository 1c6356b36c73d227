/** The schema baseline: the note with the initial schema of a preview. */
import { deflateSync, inflateSync } from 'node:zlib'
import * as z from 'zod/mini'
import { ifReadable, parseStored, storedObject } from '#base/stored'
import { inTransaction, queryValue, type Session } from '#postgres/session'
import { readSchema } from '../schema/read-schema.ts'
import { schemaSchema } from '../schema/schema.ts'
import { readNote, writeNote } from './notes.ts'

/** In bytes. Users of the database may replace the note with any content. */
const mostBytes = 256 * 1024 * 1024

const baselineSchema = storedObject({
  /** The service of the preview. A fork inherits the note of its parent. */
  serviceId: z.string(),
  /** The time of reading, by the server's clock: `2026-01-31 12:00 UTC`. */
  at: z.string(),
  schema: schemaSchema,
})

export type SchemaBaseline = z.infer<typeof baselineSchema>

/** Reads the schema of a preview, and stores it as its baseline. */
export async function storeSchemaBaseline(session: Session, serviceId: string): Promise<void> {
  const schema = await readSchema(session, { grants: true })
  const now = `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')`
  const at = await queryValue<string>(session, now)
  const baseline: SchemaBaseline = { serviceId, at, schema }
  // The weakest compression: 5,000 tables take 0.1 s, and the size shrinks to a sixteenth.
  const content = deflateSync(JSON.stringify(baseline), { level: 1 })
  await inTransaction(session, () => writeNote(session, 'schema', content))
}

/** Undefined if there is no baseline, or the note is invalid. */
export async function readSchemaBaseline(session: Session): Promise<SchemaBaseline | undefined> {
  const { bytes } = await readNote(session, 'schema')
  if (bytes === undefined) return undefined
  try {
    const text = inflateSync(bytes, { maxOutputLength: mostBytes }).toString('utf8')
    return ifReadable(parseStored(text, baselineSchema))
  } catch {
    // The note is not compressed, or too large.
    return undefined
  }
}
