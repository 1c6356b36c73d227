/** Reads and writes what runs measured on a preview, in the note on migrations in its database. */
import * as z from 'zod/mini'
import { parseStored, type Stored, storedObject, storedVersion } from '#base/stored'
import type { Session } from '#postgres/session'
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
import { type Comment, type Notes, readNote, readNotes, writeNote } from './notes.ts'
import { type PreviewNote, readPreviewNote } from './preview-note.ts'

const comment: Comment = 'managed-database-action: migrations'

/** The most characters of the note: this action writes fewer. */
const mostCharacters = 300_000

/** The most files that are kept: of more, those that were run last. */
const mostFiles = 500

/** What earlier runs measured, the oldest first, and the SQL files that were run. */
export interface History {
  runs: MigrationRun[]
  files: FileHashes
  /** Why there may be more that cannot be read. It may hold a failure: without it nothing is certain. */
  unreadable?: string
}

const ownerSchema = storedObject({ service_id: z.string() })

/** What the notes in a database say before a migration is rehearsed on it. */
export interface Noted {
  isPreview: boolean
  /** The service whose preview the database is. */
  serviceId: string | undefined
  /** The name of the preview without its random part; undefined if it is not noted. */
  preview: string | undefined
  history: History
  notes: Notes
}

/** The note of a preview; undefined in a database that is none. */
async function readPreview(
  session: Session,
  serviceId: string | undefined,
): Promise<PreviewNote | undefined> {
  const note = await readPreviewNote(session, serviceId)
  return note && 'value' in note ? note.value : undefined
}

/** What the run that made the preview noted of its origin; nothing for a database that is none. */
export async function readFork(session: Session): Promise<ForkFacts> {
  const { data, created_at, cpu_millis, parent_cpu_millis } =
    (await readPreview(session, undefined))?.fork ?? {}
  return { data, createdAt: created_at, cpuMillis: cpu_millis, parentCpuMillis: parent_cpu_millis }
}

/** The note as it is stored. A fork inherits that of its parent, which counts as none: it names another service. */
async function readStored(
  session: Session,
  preview: string | undefined,
): Promise<Stored<StoredHistory> | undefined> {
  const { text } = preview === undefined ? {} : await readNote(session, comment)
  if (text === undefined) return undefined
  if (text.length > mostCharacters) return { problem: `it has ${text.length} characters` }
  const owner = parseStored(text, ownerSchema)
  if ('value' in owner && owner.value.service_id !== preview) return undefined
  return parseStored(text, historySchema)
}

async function readHistoryOf(session: Session, preview: PreviewNote | undefined): Promise<History> {
  const stored = await readStored(session, preview?.service_id)
  if (stored === undefined)
    return { runs: [], files: {}, ...(preview?.notes_lost && { unreadable: 'the notes were deleted' }) }
  return 'problem' in stored ? { runs: [], files: {}, unreadable: stored.problem } : stored.value
}

/** What earlier runs measured on this preview; nothing in a database that is none. */
export async function readHistory(session: Session, serviceId?: string): Promise<History> {
  return await readHistoryOf(session, await readPreview(session, serviceId))
}

/** Reads all that runs have noted in the database. */
export async function readNoted(session: Session, serviceId: string | undefined): Promise<Noted> {
  const note = await readPreview(session, serviceId)
  return {
    isPreview: note !== undefined,
    serviceId: note?.service_id,
    preview: note?.preview,
    history: await readHistoryOf(session, note),
    notes: await readNotes(session),
  }
}

/**
 * Adds a run to those that are kept, as one transaction, and returns all of them. A note that cannot be read stays as it is.
 * In a database that is no preview nothing is kept: nobody would expect it there, and no reset clears it.
 */
export async function keepRun(
  session: Session,
  run: MigrationRun,
  { serviceId, files = {} }: { serviceId?: string | undefined; files?: FileHashes } = {},
): Promise<History> {
  const preview = await readPreview(session, serviceId)
  if (preview === undefined) return { runs: addRun([], run), files }
  await session.query('begin')
  await session.query(`select pg_advisory_xact_lock(hashtext('${comment}'))`)
  const before = await readHistoryOf(session, preview)
  const history = { ...before, runs: keepNewest(addRun(before.runs, run)) }
  if (before.unreadable === undefined) {
    const fitting = Object.entries({ ...before.files, ...files }).filter(
      ([name]) => name.length <= longestText,
    )
    history.files = Object.fromEntries(fitting.slice(-mostFiles))
    const stored = { version: storedVersion, ...history, service_id: preview.service_id }
    await writeNote(session, comment, JSON.stringify(stored satisfies StoredHistory))
  }
  await session.query('commit')
  return history
}
