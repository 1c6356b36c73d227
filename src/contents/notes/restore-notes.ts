/** Restores the notes that a workflow's SQL deleted, replaced or forged. */
import { ifReadable, parseStored } from '#base/stored'
import { inTransaction, type Session } from '#postgres/session'
import { keepNewest } from '../rehearsal/result/history.ts'
import { historySchema, type StoredHistory } from '../rehearsal/result/stored.ts'
import { deleteNote, type NoteName, type Notes, noteNames, readNotes, writeNote } from './notes.ts'
import { parsePreviewNote } from './preview-note.ts'

/** Chooses the content of a note from its content before and after the SQL. Undefined deletes the note. */
type Choose = (before: Buffer | undefined, after: Buffer) => Buffer | undefined

/** Keeps a note that another run wrote at the same time. Such a run never changes the identity of the preview. */
const choosePreview: Choose = (before, after) => {
  const parse = (note: Buffer | undefined) => ifReadable(parsePreviewNote(note?.toString('utf8'), undefined))
  const [was, is] = [parse(before), parse(after)]
  if (was === undefined || is === undefined || was.service_id !== is.service_id) return before
  const isSamePreview = was.preview === undefined || was.preview === is.preview
  return isSamePreview ? after : before
}

const parseHistory = (note: Buffer | undefined): StoredHistory | undefined =>
  note && ifReadable(parseStored(note.toString('utf8'), historySchema))

/** Keeps the history before, and adds runs of other jobs, unless SQL may have forged them to pass or replace a run. */
const chooseHistory: Choose = (before, after) => {
  const [was, is] = [parseHistory(before), parseHistory(after)]
  if (is === undefined || (before !== undefined && was?.service_id !== is.service_id)) return before
  const runs = was?.runs ?? []
  const known = runs.map(({ rehearsal }) => rehearsal.migrationHash)
  const added = is.runs.filter(
    ({ rehearsal }) => rehearsal.verdict !== 'passed' && !known.includes(rehearsal.migrationHash),
  )
  if (added.length === 0) return before
  // Only a history from before the SQL is trusted: its files are the ones that later runs skip.
  const trusted = was ?? { ...is, files: {} }
  const merged = { ...trusted, runs: keepNewest([...runs, ...added]) }
  return Buffer.from(JSON.stringify(merged), 'utf8')
}

const chooseByNote: Partial<Record<NoteName, Choose>> = { preview: choosePreview, migrations: chooseHistory }

const isEqual = (first: Buffer | undefined, second: Buffer | undefined): boolean =>
  first === second || (first !== undefined && second !== undefined && first.equals(second))

/** Restores each note from before the SQL, and keeps changes of other runs. Returns the names of the written notes. */
export async function restoreNotes(session: Session, before: Notes): Promise<string[]> {
  const after = await readNotes(session)
  const restored = new Map<NoteName, Buffer | undefined>()
  for (const note of noteNames) {
    const [was, is] = [before.get(note), after.get(note)]
    if (isEqual(was, is)) continue
    const choose = chooseByNote[note]
    const content = is !== undefined && choose !== undefined ? choose(was, is) : was
    if (!isEqual(content, is)) restored.set(note, content)
  }
  if (restored.size === 0) return []
  await inTransaction(session, async () => {
    for (const [note, content] of restored) {
      if (content === undefined) await deleteNote(session, note)
      else await writeNote(session, note, content)
    }
  })
  return [...restored.keys()]
}
