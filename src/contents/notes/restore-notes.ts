/** Restores the notes that a workflow's SQL deleted, replaced or forged. */
import { ifReadable, parseStored } from '#base/stored'
import type { Session } from '#postgres/session'
import { keepNewest } from '../rehearsal/result/history.ts'
import { historySchema, type MigrationRun, type StoredHistory } from '../rehearsal/result/stored.ts'
import { type NoteName, type Notes, noteNames, readNotes, replaceNotes } from './notes.ts'
import { parsePreviewNote } from './preview-note.ts'

/** Chooses the content of a note from those before and after; undefined deletes the note. */
type Choose = (before: Buffer | undefined, after: Buffer) => Buffer | undefined

/**
 * A run that prepares the preview may write its note at the same time. Such a run never changes the identity of the preview.
 */
const choosePreview: Choose = (before, after) => {
  const read = (note: Buffer | undefined) => ifReadable(parsePreviewNote(note?.toString('utf8'), undefined))
  const [was, is] = [read(before), read(after)]
  if (was === undefined || is === undefined || was.service_id !== is.service_id) return before
  return is.preview === (was.preview ?? is.preview) ? after : before
}

const readHistory = (note: Buffer | undefined): StoredHistory | undefined =>
  note && ifReadable(parseStored(note.toString('utf8'), historySchema))

const isSameRun = (one: MigrationRun, other: MigrationRun) =>
  one.at === other.at && one.rehearsal.migrationHash === other.rehearsal.migrationHash

/**
 * Keeps the history before, and adds runs of other jobs. SQL may have forged a run that passed or that replaces an
 * earlier one, so those are dropped.
 */
const chooseHistory: Choose = (before, after) => {
  const [was, is] = [readHistory(before), readHistory(after)]
  if (is === undefined || (before !== undefined && was?.service_id !== is.service_id)) return before
  const runs = was?.runs ?? []
  const added = is.runs.filter(
    run =>
      !runs.some(one => isSameRun(one, run)) &&
      run.rehearsal.verdict !== 'passed' &&
      !runs.some(({ rehearsal }) => rehearsal.migrationHash === run.rehearsal.migrationHash),
  )
  if (added.length === 0) return before
  const merged = { ...(was ?? { ...is, files: {} }), runs: keepNewest([...runs, ...added]) }
  return Buffer.from(JSON.stringify(merged), 'utf8')
}

const choices: Partial<Record<NoteName, Choose>> = { preview: choosePreview, migrations: chooseHistory }

const isEqual = (one: Buffer | undefined, other: Buffer | undefined) =>
  one === undefined || other === undefined ? one === other : one.equals(other)

/**
 * Restores the contents from before the SQL.
 *
 * @returns the names of the notes that it wrote or deleted
 */
export async function restoreNotes(session: Session, before: Notes): Promise<string[]> {
  const after = await readNotes(session)
  const restored = new Map<NoteName, Buffer | undefined>()
  for (const note of noteNames) {
    const [was, is] = [before.get(note), after.get(note)]
    if (isEqual(was, is)) continue
    const content = is && choices[note] ? choices[note](was, is) : was
    if (!isEqual(content, is)) restored.set(note, content)
  }
  if (restored.size > 0) await replaceNotes(session, restored)
  return [...restored.keys()]
}
