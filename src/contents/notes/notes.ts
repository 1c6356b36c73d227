/** Reads and writes notes: large objects in the database that pass information to later runs. */
import { queryRow, queryValue, type Session } from '#postgres/session'
import { largeObjectsWith } from '#postgres/sql'

export const noteNames = ['preview', 'masked', 'schema', 'migrations'] as const

export type NoteName = (typeof noteNames)[number]

/** The content of a note, undefined if there is none, and the start time of the server by its own clock. */
interface ReadNote {
  bytes?: Buffer | undefined
  text: string | undefined
  startedAt: string
}

/** A note is a large object with this comment. */
export const commentOf = (note: NoteName) => `managed-database-action: ${note}`

const objectsOf = (note: NoteName) => largeObjectsWith(commentOf(note))

export async function readNote(session: Session, note: NoteName): Promise<ReadNote> {
  const { bytes, startedAt } = await queryRow<{ bytes: Buffer | null; startedAt: string }>(
    session,
    `select pg_postmaster_start_time()::text as "startedAt", (select lo_get(id) from ${objectsOf(note)} limit 1) as bytes`,
  )
  return { bytes: bytes ?? undefined, text: bytes?.toString('utf8'), startedAt }
}

export const deleteNote = (session: Session, note: NoteName) =>
  session.query(`select lo_unlink(id) from ${objectsOf(note)}`)

/** Replaces a note. Call it in an open transaction, since it deletes the earlier note first. */
export async function writeNote(session: Session, note: NoteName, content: string | Buffer): Promise<void> {
  await deleteNote(session, note)
  const bytes = Buffer.from(content)
  const id = await queryValue<number>(session, 'select lo_from_bytea(0, $1)', [bytes])
  await session.query(`comment on large object ${Number(id)} is '${commentOf(note)}'`)
}

/** The content of each note that the database has. */
export type Notes = Map<NoteName, Buffer>

export async function readNotes(session: Session): Promise<Notes> {
  const notes: Notes = new Map()
  for (const note of noteNames) {
    const { bytes } = await readNote(session, note)
    if (bytes !== undefined) notes.set(note, bytes)
  }
  return notes
}

/** Deletes all notes, also those that this release does not know. */
export async function deleteNotes(session: Session): Promise<void> {
  await session.query(`select lo_unlink(objoid) from pg_description
    where classoid = 'pg_largeobject'::regclass and description like 'managed-database-action: %'`)
}

/** Locks the database against other runs that prepare it, until the session ends. False if another run has the lock. */
export const tryLockDatabase = (session: Session): Promise<boolean> =>
  queryValue(session, "select pg_try_advisory_lock(hashtext('managed-database-action: preparing'))")
