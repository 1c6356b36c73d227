/** Reads and writes the measurements of runs on a preview, in the migration note of its database. */
import * as z from 'zod/mini'
import { ifReadable, parseStored, storedObject, storedVersion } from '#base/stored'
import { inTransaction, type Session } from '#postgres/session'
import { addRun } from '../rehearsal/result/add-run.ts'
import { keepNewest } from '../rehearsal/result/history.ts'
import {
  type FileHashes,
  type ForkFacts,
  historySchema,
  longestText,
  type MigrationRun,
  type StoredHistory,
} from '../rehearsal/result/stored.ts'
import { commentOf, type Notes, readNote, readNotes, writeNote } from './notes.ts'
import { type PreviewNote, parsePreviewNote } from './preview-note.ts'

/** Upper limit for reading a note. This action writes fewer characters. */
const mostCharacters = 300_000

/** The most files in a note. If there are more, the most recently run ones stay. */
const mostFiles = 500

/** The measurements of earlier runs, the oldest first, and the SQL files that ran. */
export interface History {
  runs: MigrationRun[]
  files: FileHashes
  /** The reason why part of the history is unreadable. That part may contain a failure, so no result is certain. */
  unreadable?: string
}

const ownerSchema = storedObject({ service_id: z.string() })

/** The information in the notes of a database, before a migration changes it. */
export interface Noted {
  /** The note of the preview; undefined in a database that is no preview. */
  preview: PreviewNote | undefined
  /** The service of the database, if it is known. */
  serviceId: string | undefined
  history: History
  /** The content of all notes, with which `restoreNotes` compares them later. */
  notes: Notes
}

const readPreviewNote = async (session: Session, serviceId: string | undefined) =>
  ifReadable(parsePreviewNote((await readNote(session, 'preview')).text, serviceId))

/** The origin of the fork, from the note of the run that created the preview; empty in a database that is no preview. */
export function forkOf({ preview }: Noted): ForkFacts {
  const { data, created_at, cpu_millis, parent_cpu_millis } = preview?.fork ?? {}
  return { data, createdAt: created_at, cpuMillis: cpu_millis, parentCpuMillis: parent_cpu_millis }
}

/** The stored history. A fork inherits the note of its parent, which is ignored because it names another service. */
async function readHistoryOf(session: Session, preview: PreviewNote | undefined): Promise<History> {
  const empty: History = { runs: [], files: {} }
  if (preview === undefined) return empty
  const absent: History = preview.notes_lost ? { ...empty, unreadable: 'the notes were deleted' } : empty
  const { text } = await readNote(session, 'migrations')
  if (text === undefined) return absent
  if (text.length > mostCharacters) return { ...empty, unreadable: `it has ${text.length} characters` }
  const owner = ifReadable(parseStored(text, ownerSchema))
  if (owner && owner.service_id !== preview.service_id) return absent
  const stored = parseStored(text, historySchema)
  if ('problem' in stored) return { ...empty, unreadable: stored.problem }
  return stored.value
}

/** The measurements of earlier runs on this preview; empty in a database that is no preview. */
export async function readHistory(session: Session, serviceId?: string): Promise<History> {
  return await readHistoryOf(session, await readPreviewNote(session, serviceId))
}

export async function readNoted(session: Session, serviceId: string | undefined): Promise<Noted> {
  const preview = await readPreviewNote(session, serviceId)
  return {
    preview,
    serviceId: preview?.service_id ?? serviceId,
    history: await readHistoryOf(session, preview),
    notes: await readNotes(session),
  }
}

/**
 * Adds a run to the stored ones in one transaction, and returns all of them. An unreadable note stays unchanged. In a
 * database that is no preview nothing is stored, because no reset would clear it.
 */
export async function storeRun(
  session: Session,
  run: MigrationRun,
  { serviceId, files = {} }: { serviceId?: string | undefined; files?: FileHashes } = {},
): Promise<History> {
  const preview = await readPreviewNote(session, serviceId)
  if (preview === undefined) return { runs: addRun([], run), files }
  return await inTransaction(session, async () => {
    await session.query(`select pg_advisory_xact_lock(hashtext('${commentOf('migrations')}'))`)
    const before = await readHistoryOf(session, preview)
    const history = { ...before, runs: keepNewest(addRun(before.runs, run)) }
    if (before.unreadable !== undefined) return history
    const allFiles = Object.entries({ ...before.files, ...files })
    const storable = allFiles.filter(([name]) => name.length <= longestText)
    history.files = Object.fromEntries(storable.slice(-mostFiles))
    const stored = { version: storedVersion, ...history, service_id: preview.service_id }
    await writeNote(session, 'migrations', JSON.stringify(stored satisfies StoredHistory))
    return history
  })
}
