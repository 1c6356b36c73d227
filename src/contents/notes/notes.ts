/** Reads and writes notes: large objects in the database that pass information to later runs. */
import { queryRow, type Session } from '#postgres/session'

export const comments = [
  'managed-database-action: preview',
  'managed-database-action: masked',
  'managed-database-action: schema',
  'managed-database-action: migrations',
] as const

/**
 * A note is a large object with a known comment. Every role may create one. It is not part of the schema, so migration
 * tools and `pg_dump --schema-only` ignore it.
 */
export type Comment = (typeof comments)[number]

/** The notes that this role may read, the newest first. */
const objects = (comment: Comment) => `(
  select objoid as id from pg_description
    join pg_largeobject_metadata as object on object.oid = objoid and pg_has_role(lomowner, 'usage')
    where classoid = 'pg_largeobject'::regclass and description = '${comment}'
    order by objoid desc) as objects`

/** The text of a note, and the start time of the server by its own clock. */
export async function readNote(
  session: Session,
  comment: Comment,
): Promise<{ text: string | undefined; startedAt: string }> {
  const { rows } = await session.query(
    `select pg_postmaster_start_time()::text as started_at, (select lo_get(id) from ${objects(comment)} limit 1) as kept`,
  )
  const { started_at, kept } = rows[0] ?? {}
  return {
    text: Buffer.isBuffer(kept) ? kept.toString('utf8') : undefined,
    startedAt: String(started_at),
  }
}

export async function readBytes(session: Session, comment: Comment): Promise<Buffer | undefined> {
  const question = `select (select lo_get(id) from ${objects(comment)} limit 1) as kept`
  const { kept } = await queryRow<{ kept: unknown }>(session, question)
  return Buffer.isBuffer(kept) ? kept : undefined
}

const deleteNote = (session: Session, comment: Comment) =>
  session.query(`select lo_unlink(id) from ${objects(comment)}`)

/** Replaces a note. Call it in an open transaction, since it deletes the earlier note first. */
export async function writeNote(session: Session, comment: Comment, content: string | Buffer): Promise<void> {
  await deleteNote(session, comment)
  const { rows } = await session.query('select lo_from_bytea(0, $1) as id', [
    typeof content === 'string' ? Buffer.from(content, 'utf8') : content,
  ])
  await session.query(`comment on large object ${Number(rows[0]?.id)} is '${comment}'`)
}

export type Notes = Map<Comment, Buffer>

export async function readNotes(session: Session): Promise<Notes> {
  const notes: Notes = new Map()
  for (const comment of comments) {
    const bytes = await readBytes(session, comment)
    if (bytes !== undefined) notes.set(comment, bytes)
  }
  return notes
}

/** Writes notes in one transaction, and deletes those without content. */
export async function replaceNotes(
  session: Session,
  notes: ReadonlyMap<Comment, Buffer | undefined>,
): Promise<void> {
  await session.query('begin')
  for (const [comment, content] of notes)
    if (content === undefined) await deleteNote(session, comment)
    else await writeNote(session, comment, content)
  await session.query('commit')
}

export async function deleteNotes(session: Session): Promise<void> {
  await session.query(`select lo_unlink(objoid) from pg_description
    where classoid = 'pg_largeobject'::regclass and description like 'managed-database-action: %'`)
}

/** Locks the database against other runs that prepare it, until the session ends. False if another run has the lock. */
export async function tryLockDatabase(session: Session): Promise<boolean> {
  const lock = "pg_try_advisory_lock(hashtext('managed-database-action: preparing'))"
  return (await queryRow<{ isLocked: boolean }>(session, `select ${lock} as "isLocked"`)).isLocked
}
