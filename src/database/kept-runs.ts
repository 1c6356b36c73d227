import * as z from 'zod/mini'
import { readKept, writeKept } from '../contents/database/kept.ts'
import {
  capRun,
  longestText,
  type MigrationRun,
  mostItems,
  slimRun,
} from '../contents/rehearsal/result/history.ts'
import { lockModes } from '../contents/rehearsal/result/lock-modes.ts'
import { type ForkFacts, limits } from '../contents/rehearsal/result/rehearsal.ts'
import type { Session } from '../postgres/session.ts'

const comment = 'managed-database-action: migrations'

/** Runs that are kept of one preview, and the characters of all. */
const mostRuns = 30
const mostCharacters = 100_000

const text = z.string().check(z.maxLength(longestText))
const count = z.number().check(z.nonnegative())
const list = <Item extends z.ZodMiniType>(item: Item) => z.array(item).check(z.maxLength(mostItems))
const place = z.object({ file: text, line: count })

/** What was kept may have been written by anybody who knows the password: nothing in it is taken for granted. */
const describeRun = () =>
  z.object({
    at: count,
    commit: z.optional(text),
    url: z.optional(text),
    omitted: count,
    rehearsal: z.object({
      verdict: z.enum(['passed', 'failed', 'not measured']),
      violations: list(
        z.object({
          limit: z.enum(limits),
          measured: count,
          allowed: count,
          message: text,
          advice: text,
          table: z.optional(text),
          statement: z.optional(count),
          place: z.optional(place),
          ignored: z.optional(text),
        }),
      ),
      statements: list(
        z.object({
          text,
          place: z.optional(place),
          duration: count,
          locks: list(
            z.object({
              table: text,
              mode: z.enum(lockModes),
              parts: z.optional(count),
              held: count,
              blocks: list(z.enum(['reads', 'writes'])),
              waiting: z.optional(count),
            }),
          ),
          rewrites: list(z.object({ table: text, bytes: count })),
          rows: list(z.object({ table: text, inserted: count, updated: count, deleted: count, held: count })),
          wal: count,
          exact: z.boolean(),
          failure: z.optional(text),
        }),
      ),
      effects: list(
        z.object({
          kind: z.enum([
            ...(['table dropped', 'column dropped', 'type narrowed', 'rows deleted'] as const),
            ...(['table emptied', 'constraint not valid', 'index invalid'] as const),
          ]),
          object: text,
          message: text,
          count: z.optional(count),
          isEstimate: z.optional(z.boolean()),
          destructive: z.boolean(),
        }),
      ),
      destructive: z.boolean(),
      migrationHash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
      duration: count,
      wal: count,
      temporaryBytes: count,
      measuredOn: z.object({
        serverVersion: text,
        at: text,
        fork: z.optional(
          z.object({
            data: z.optional(z.enum(['now', 'snapshot', 'unknown'])),
            createdAt: z.optional(text),
            cpuMillis: z.optional(count),
            parentCpuMillis: z.optional(count),
          }),
        ),
      }),
      problem: z.optional(text),
    }),
  })

const describeKept = () =>
  z.object({
    service_id: text,
    runs: z.array(describeRun()).check(z.maxLength(mostRuns)),
    files: z._default(z.record(text, text), {}),
  })

/** The hashes of files of SQL, by what messages call them. */
export type FileHashes = Record<string, string>

/** Files that are kept: of more, those that were run last. */
const mostFiles = 500

const describeNote = () =>
  z.object({
    service_id: text,
    fork: z.optional(
      z.object({
        data: z.optional(z.enum(['now', 'snapshot', 'unknown'])),
        created_at: z.optional(text),
        cpu_millis: z.optional(count),
        parent_cpu_millis: z.optional(count),
      }),
    ),
  })

function parse<Schema extends z.ZodMiniType>(kept: string | undefined, schema: Schema) {
  try {
    return schema.safeParse(JSON.parse(kept ?? '')).data
  } catch {
    return undefined
  }
}

/**
 * The service whose preview the database is, as the note in it says. Undefined for a database that is no preview: also for a
 * fork of one, where it is known by its id.
 */
async function previewOf(session: Session, serviceId: string | undefined): Promise<string | undefined> {
  const { text: note } = await readKept(session, 'managed-database-action: preview')
  const noted = parse(note, describeNote())?.service_id
  return serviceId === undefined || noted === serviceId ? noted : undefined
}

/** Whether the database is a preview, as the note in it says. */
export const isPreview = async (session: Session, serviceId: string | undefined): Promise<boolean> =>
  (await previewOf(session, serviceId)) !== undefined

/** What the run that made the preview noted of its origin; nothing for a database that is none. */
export async function readFork(session: Session): Promise<ForkFacts> {
  const { text: note } = await readKept(session, 'managed-database-action: preview')
  const { data, created_at, cpu_millis, parent_cpu_millis } = parse(note, describeNote())?.fork ?? {}
  return { data, createdAt: created_at, cpuMillis: cpu_millis, parentCpuMillis: parent_cpu_millis }
}

async function readKeptOf(
  session: Session,
  preview: string | undefined,
): Promise<{ runs: MigrationRun[]; files: FileHashes }> {
  const { text: kept } = preview === undefined ? {} : await readKept(session, comment)
  const found = (kept?.length ?? 0) > 3 * mostCharacters ? undefined : parse(kept, describeKept())
  return found !== undefined && found.service_id === preview
    ? { runs: found.runs as MigrationRun[], files: found.files }
    : { runs: [], files: {} }
}

/**
 * What earlier runs measured on this preview, the oldest first. A fork inherits what its parent keeps, which counts as
 * nothing: it names another service. So does what nobody of us can have written.
 */
export async function readRuns(session: Session, serviceId?: string): Promise<MigrationRun[]> {
  return (await readKeptOf(session, await previewOf(session, serviceId))).runs
}

/** The files of SQL that were run on this preview to their ends. */
export async function readFiles(session: Session, serviceId?: string): Promise<FileHashes> {
  return (await readKeptOf(session, await previewOf(session, serviceId))).files
}

/** The newest runs, as far as there is room: only the last one with its statements. */
function keepNewest(runs: MigrationRun[]): MigrationRun[] {
  const newest = runs.slice(-mostRuns)
  const slim = newest.map((run, index) => (index < newest.length - 1 ? slimRun(run) : run))
  while (slim.length > 1 && JSON.stringify(slim).length > mostCharacters) slim.shift()
  return slim
}

/**
 * Adds a run to those that are kept, as one transaction, and returns all of them. In a database that is no preview nothing
 * is kept: nobody would expect it there, and no reset clears it.
 */
export async function keepRun(
  session: Session,
  run: MigrationRun,
  { serviceId, files = {} }: { serviceId?: string | undefined; files?: FileHashes } = {},
): Promise<MigrationRun[]> {
  const preview = await previewOf(session, serviceId)
  if (preview === undefined) return [capRun(run)]
  await session.query('begin')
  await session.query(`select pg_advisory_xact_lock(hashtext('${comment}'))`)
  const before = await readKeptOf(session, preview)
  const runs = keepNewest([...before.runs, capRun(run)])
  const fitting = Object.entries({ ...before.files, ...files }).filter(([name]) => name.length <= longestText)
  const kept = { service_id: preview, runs, files: Object.fromEntries(fitting.slice(-mostFiles)) }
  await writeKept(session, comment, JSON.stringify(kept))
  await session.query('commit')
  return runs
}
