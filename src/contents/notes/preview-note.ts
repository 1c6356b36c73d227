/** The note of a preview: what runs did in its database before it is handed out. */
import * as z from 'zod/mini'
import { parseStored, type Stored, storedObject, storedVersion } from '#base/stored'
import type { Session } from '#postgres/session'
import { readNote } from './notes.ts'

const item = storedObject({ id: z.string(), kind: z.string(), name: z.string(), database: z.string() })

/** The report of a quarantine. */
const report = storedObject({
  at: z.number(),
  quarantined: z.array(item),
  kept: z.array(item),
  undone: z.array(
    storedObject({ item: z.optional(item), what: z.string(), reason: z.string(), next: z.string() }),
  ),
  ran: z.array(
    storedObject({
      job: z.string(),
      database: z.string(),
      times: z.nullable(z.number()),
      before: z.number(),
    }),
  ),
  callers: z.array(storedObject({ database: z.string(), name: z.string() })),
  remarks: z.array(z.string()),
})

const previewSchema = storedObject({
  version: z._default(z.number(), storedVersion),
  /** A fork inherits the note of its parent, which names the parent's service. */
  service_id: z.string(),
  /** The name of the preview without its random part; notes of older releases lack it. */
  preview: z.optional(z.string()),
  /** A run has done all that is to be done before the database is handed out. */
  ready: z._default(z.boolean(), false),
  /** No run had noted anything when it was old: get-connection hands it out as it is. */
  adopted: z.optional(z.boolean()),
  /** The notes were deleted after the preview was created, and with them the history of its migrations. */
  notes_lost: z.optional(z.boolean()),
  quarantine: z.optional(
    storedObject({
      report: report,
      /** What was to go on working, by the input, as JSON. */
      keep_active: z.string(),
      /** Since when the server ran: after another start, the database is quarantined again. */
      started_at: z.string(),
    }),
  ),
  /** Whether the schema with which it began is kept; false where that failed. */
  schema_kept: z.optional(z.boolean()),
  /** The files that filled it, in order. */
  seeds: z._default(z.array(storedObject({ file: z.string(), hash: z.string() })), []),
  /** When its data is of (`now`, `snapshot`, `unknown`), and the cores of it and its parent in thousandths. */
  fork: z.optional(
    storedObject({
      data: z.optional(z.string()),
      created_at: z.optional(z.string()),
      cpu_millis: z.optional(z.number()),
      parent_cpu_millis: z.optional(z.number()),
    }),
  ),
  /** Why the last run could not finish it. */
  problem: z.optional(z.string()),
  /** The files that it was handed out with, by `reset_on`. */
  migrations: z.optional(
    storedObject({ paths: z.array(z.string()), blobs: z.record(z.string(), z.string()) }),
  ),
})

export type PreviewNote = z.infer<typeof previewSchema>

/**
 * The note of a preview by its text. Undefined if there is none, or it is about another service than the one that is known: a
 * fork inherits the note of its parent.
 */
export function parsePreviewNote(
  text: string | undefined,
  serviceId: string | undefined,
): Stored<PreviewNote> | undefined {
  if (text === undefined) return undefined
  const stored = parseStored(text, previewSchema)
  const isAnothers = 'value' in stored && stored.value.service_id !== (serviceId ?? stored.value.service_id)
  return isAnothers ? undefined : stored
}

export async function readPreviewNote(
  session: Session,
  serviceId: string | undefined,
): Promise<Stored<PreviewNote> | undefined> {
  return parsePreviewNote((await readNote(session, 'managed-database-action: preview')).text, serviceId)
}
