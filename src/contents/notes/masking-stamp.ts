/** The masking stamp: the note that a database was masked and that a search found none of its originals. Forks inherit it. */
import * as z from 'zod/mini'
import { ifReadable, parseStored, storedObject } from '#base/stored'
import { inTransaction, type Session } from '#postgres/session'
import { readNote, writeNote } from './notes.ts'

const stampSchema = storedObject({
  /** The service from which the database was copied. */
  source: z.string(),
  /** The time of masking, in milliseconds since 1970. */
  at: z.number(),
  /** The hash of the mask file, as in Git. */
  file: z.string(),
  /** The hash of the tables and columns that the rules were compared with. */
  catalog: z.string(),
  run: z.string(),
})

export type MaskingStamp = z.infer<typeof stampSchema>

/** The stamp of a masked database or of its fork; undefined if there is none, or its text is invalid. */
export async function readMaskingStamp(session: Session): Promise<MaskingStamp | undefined> {
  const { text } = await readNote(session, 'masked')
  return text === undefined ? undefined : ifReadable(parseStored(text, stampSchema))
}

/** Stamps a database as masked. */
export const writeMaskingStamp = (session: Session, stamp: MaskingStamp): Promise<void> =>
  inTransaction(session, () => writeNote(session, 'masked', JSON.stringify(stamp)))
