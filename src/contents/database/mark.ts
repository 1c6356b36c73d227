import { isRecord } from '../../base/unknown-values.ts'
import type { Session } from '../../postgres/session.ts'
import type { MaskMark } from '../masking/masked.ts'
import { type Comment, readKept, writeKept } from './kept.ts'

const comment: Comment = 'managed-database-action: masked'

/** A text as JSON; undefined if it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isMark(value: unknown): value is MaskMark {
  if (!isRecord(value)) return false
  const { source, at, file, catalog, run } = value
  return [source, file, catalog, run].every(text => typeof text === 'string') && Number.isFinite(at)
}

/** The mark of a masked database, or of one that was forked from it; undefined for any other text, or none. */
export async function readMark(session: Session): Promise<MaskMark | undefined> {
  const { text = '' } = await readKept(session, comment)
  const value = parse(text)
  return isMark(value) ? value : undefined
}

/** Marks a database as masked, as part of the transaction that is open. */
export const writeMark = (session: Session, mark: MaskMark): Promise<void> =>
  writeKept(session, comment, JSON.stringify(mark))
