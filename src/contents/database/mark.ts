/** The note that a database was masked, and that its originals were searched for in vain. */
import * as z from 'zod/mini'
import { parseStored, storedObject } from '../../base/stored.ts'
import type { Session } from '../../postgres/session.ts'
import type { MaskMark } from '../masking/masked.ts'
import { readKept, writeKept } from './kept.ts'

const stampSchema = storedObject({
  source: z.string(),
  at: z.number(),
  file: z.string(),
  catalog: z.string(),
  run: z.string(),
})

/** The stamp of a masked database, or of one that was forked from it; undefined for any other text, or none. */
export async function readMark(session: Session): Promise<MaskMark | undefined> {
  const { text } = await readKept(session, 'managed-database-action: masked')
  const stored = text === undefined ? undefined : parseStored(text, stampSchema)
  return stored && 'value' in stored ? stored.value : undefined
}

/** Stamps a database as masked, as part of the transaction that is open. */
export const writeMark = (session: Session, mark: MaskMark): Promise<void> =>
  writeKept(session, 'managed-database-action: masked', JSON.stringify(mark))
