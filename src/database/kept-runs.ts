/** Reads and writes what runs measured on a preview, in the note on migrations in its database. */
import * as z from 'zod/mini'
import {
  type Comment,
  type Notes,
  readKept,
  readNotes,
  restoreNotes,
  writeKept,
} from '../contents/database/kept.ts'
import { capRun, keepNewest } from '../contents/rehearsal/result/history.ts'
import {
  describeHistory,
  type FileHashes,
  type ForkFacts,
  longestText,
  type MigrationRun,
  type StoredHistory,
  storedVersion,
} from '../contents/rehearsal/result/stored.ts'
import type { Session } from '../postgres/session.ts'

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

const describeNote = () =>
  z.looseObject({
    service_id: z.string(),
    preview: z.optional(z.string()),
    fork: z.optional(
      z.looseObject({
        data: z.optional(z.enum(['now', 'snapshot', 'unknown'])),
        created_at: z.optional(z.string()),
        cpu_millis: z.optional(z.number()),
        parent_cpu_millis: z.optional(z.number()),
      }),
    ),
  })

const describeOwner = () => z.looseObject({ service_id: z.string(), version: z.optional(z.number()) })

/** A text as JSON; undefined if it is none. */
function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

async function readNote(session: Session) {
  const { text } = await readKept(session, 'managed-database-action: preview')
  return describeNote().safeParse(parse(text)).data
}

/** What the notes in a database say before a migration is rehearsed on it. */
export interface Noted {
  isPreview: boolean
  /** The name of the preview without its random part; undefined if it is not noted. */
  preview: string | undefined
  history: History
  notes: Notes
}

/**
 * The service whose preview the database is, as the note in it says. Undefined for a database that is no preview: also for a
 * fork of one, where it is known by its id.
 */
async function previewOf(session: Session, serviceId: string | undefined): Promise<string | undefined> {
  const noted = (await readNote(session))?.service_id
  return serviceId === undefined || noted === serviceId ? noted : undefined
}

/** What the run that made the preview noted of its origin; nothing for a database that is none. */
export async function readFork(session: Session): Promise<ForkFacts> {
  const { data, created_at, cpu_millis, parent_cpu_millis } = (await readNote(session))?.fork ?? {}
  return { data, createdAt: created_at, cpuMillis: cpu_millis, parentCpuMillis: parent_cpu_millis }
}

/**
 * The note as it is stored. A fork inherits that of its parent, which counts as none: it names another service.
 *
 * @returns why it cannot be read, where it cannot; undefined where there is none
 */
async function readStored(
  session: Session,
  preview: string | undefined,
): Promise<StoredHistory | { unreadable: string } | undefined> {
  const { text } = preview === undefined ? {} : await readKept(session, comment)
  if (text === undefined) return undefined
  const value = text.length > mostCharacters ? undefined : parse(text)
  const owner = describeOwner().safeParse(value).data
  if (owner !== undefined && owner.service_id !== preview) return undefined
  if ((owner?.version ?? 0) > storedVersion)
    return { unreadable: `a newer version of the action has written it (form ${owner?.version})` }
  const stored = describeHistory().safeParse(value)
  return stored.data ?? { unreadable: 'it is not as this action writes it' }
}

async function readHistoryOf(session: Session, preview: string | undefined): Promise<History> {
  const stored = await readStored(session, preview)
  if (stored === undefined) return { runs: [], files: {} }
  return 'unreadable' in stored ? { runs: [], files: {}, unreadable: stored.unreadable as string } : stored
}

/** What earlier runs measured on this preview; nothing in a database that is none. */
export async function readHistory(session: Session, serviceId?: string): Promise<History> {
  return await readHistoryOf(session, await previewOf(session, serviceId))
}

/** Reads all that runs have noted in the database. */
export async function readNoted(session: Session, serviceId: string | undefined): Promise<Noted> {
  const service = await previewOf(session, serviceId)
  return {
    isPreview: service !== undefined,
    preview: service === undefined ? undefined : (await readNote(session))?.preview,
    history: await readHistoryOf(session, service),
    notes: await readNotes(session),
  }
}

const isSameRun = (one: MigrationRun, other: MigrationRun) =>
  one.at === other.at && one.rehearsal.migrationHash === other.rehearsal.migrationHash

/**
 * Restores the notes that the SQL of a migration has deleted, and the history where runs are missing from it: a later push
 * must not erase what an earlier one has lost.
 *
 * @returns the names of the restored notes
 */
export async function restoreNoted(
  session: Session,
  { notes, history, isPreview }: Noted,
  serviceId: string | undefined,
): Promise<string[]> {
  if (!isPreview) return []
  const restored = await restoreNotes(session, notes)
  const now = await readHistory(session, serviceId)
  const stored = notes.get(comment)
  const isComplete = history.runs.every(run => now.runs.some(other => isSameRun(run, other)))
  if (isComplete || stored === undefined) return restored
  await session.query('begin')
  await writeKept(session, comment, stored)
  await session.query('commit')
  return [...restored, 'migrations']
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
  const preview = await previewOf(session, serviceId)
  if (preview === undefined) return { runs: [capRun(run)], files }
  await session.query('begin')
  await session.query(`select pg_advisory_xact_lock(hashtext('${comment}'))`)
  const before = await readHistoryOf(session, preview)
  const history = { ...before, runs: keepNewest([...before.runs, capRun(run)]) }
  if (before.unreadable === undefined) {
    const fitting = Object.entries({ ...before.files, ...files }).filter(
      ([name]) => name.length <= longestText,
    )
    history.files = Object.fromEntries(fitting.slice(-mostFiles))
    const stored = { version: storedVersion, ...history, service_id: preview }
    await writeKept(session, comment, JSON.stringify(stored satisfies StoredHistory))
  }
  await session.query('commit')
  return history
}
