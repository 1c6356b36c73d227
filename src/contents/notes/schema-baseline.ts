/** The schema baseline: the note with the initial schema of a preview. */
import { deflateSync, inflateSync } from 'node:zlib'
import { isRecord } from '#base/unknown-values'
import type { Session } from '#postgres/session'
import { isSchema, type Schema } from '../schema/schema.ts'
import { type Comment, readBytes, writeNote } from './notes.ts'

const comment: Comment = 'managed-database-action: schema'

/** In bytes. Users of the database may replace the note with any content. */
const mostBytes = 256 * 1024 * 1024

export interface SchemaBaseline {
  /** The service of the preview. A fork inherits the note of its parent. */
  serviceId: string
  /** The time of reading, by the server's clock: `2026-01-31 12:00 UTC`. */
  at: string
  schema: Schema
}

function isSchemaBaseline(value: unknown): value is SchemaBaseline {
  if (!isRecord(value)) return false
  const { serviceId, at, schema } = value
  return typeof serviceId === 'string' && typeof at === 'string' && isSchema(schema)
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(inflateSync(bytes, { maxOutputLength: mostBytes }).toString('utf8'))
  } catch {
    return undefined
  }
}

export async function keepSchemaBaseline(session: Session, serviceId: string): Promise<void> {
  const { readSchema } = await import('../schema/read-schema.ts')
  const schema = await readSchema(session, { grants: true })
  await session.query('begin')
  const { rows } = await session.query(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') as at`,
  )
  const baseline: SchemaBaseline = { serviceId, at: String(rows[0]?.at), schema }
  // The weakest compression: 5,000 tables take 0.1 s, and the size shrinks to a sixteenth.
  await writeNote(session, comment, deflateSync(JSON.stringify(baseline), { level: 1 }))
  await session.query('commit')
}

/** Undefined if there is no baseline, or the note is invalid. */
export async function readSchemaBaseline(session: Session): Promise<SchemaBaseline | undefined> {
  const bytes = await readBytes(session, comment)
  const value = bytes && parse(bytes)
  return isSchemaBaseline(value) ? value : undefined
}
