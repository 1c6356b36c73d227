/** The schema baseline: the note with the schema that a preview began with. */
import { deflateSync, inflateSync } from 'node:zlib'
import { isRecord } from '#base/unknown-values'
import type { Session } from '#postgres/session'
import { isSchema, type Schema } from '../schema/schema.ts'
import { type Comment, readBytes, writeNote } from './notes.ts'

const comment: Comment = 'managed-database-action: schema'

/** The most bytes of a schema: whoever works in the database may have put anything in its place. */
const mostBytes = 256 * 1024 * 1024

/** The schema with which a preview began. */
export interface SchemaBaseline {
  /** Whose it is: a fork inherits what its parent keeps. */
  serviceId: string
  /** When it was read, by the server's clock: `2026-01-31 12:00 UTC`. */
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

/** Keeps the schema of a database as it is now, in place of what was kept before. */
export async function keepSchemaBaseline(session: Session, serviceId: string): Promise<void> {
  const { readSchema } = await import('../schema/read-schema.ts')
  const schema = await readSchema(session, { grants: true })
  await session.query('begin')
  const { rows } = await session.query(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') as at`,
  )
  const baseline: SchemaBaseline = { serviceId, at: String(rows[0]?.at), schema }
  // The weakest compression: that of 5,000 tables takes a tenth of a second, and a sixteenth of the room.
  await writeNote(session, comment, deflateSync(JSON.stringify(baseline), { level: 1 }))
  await session.query('commit')
}

/** What was kept; undefined where nothing was, or what is there is none. */
export async function readSchemaBaseline(session: Session): Promise<SchemaBaseline | undefined> {
  const bytes = await readBytes(session, comment)
  const value = bytes && parse(bytes)
  return isSchemaBaseline(value) ? value : undefined
}
