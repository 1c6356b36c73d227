/** The note of a preview: its identity, and the steps that are already done in its database. */
import * as z from 'zod/mini'
import { parseStored, type Stored, storedObject, storedVersion } from '#base/stored'
import { reportSchema } from '../quarantine/report.ts'

const previewSchema = storedObject({
  version: z._default(z.number(), storedVersion),
  /** A fork inherits the note of its parent, which names the parent's service. */
  service_id: z.string(),
  /** The name of the preview without its random suffix; older releases did not store it. */
  preview: z.optional(z.string()),
  /** All steps before publishing the connection details are done. */
  ready: z._default(z.boolean(), false),
  /** The preview existed before its first note: get-connection publishes its connection details without preparation. */
  adopted: z.optional(z.boolean()),
  /** The notes, and with them the history of migrations, were deleted after the preview was created. */
  notes_lost: z.optional(z.boolean()),
  quarantine: z.optional(
    storedObject({
      report: reportSchema,
      /** The objects to keep active, by the input, as JSON. */
      keep_active: z.string(),
      /** The start time of the server. After a restart, the database is quarantined again. */
      started_at: z.string(),
    }),
  ),
  /** The schema baseline is stored; false if storing it failed. */
  schema_kept: z.optional(z.boolean()),
  /** The seed files that ran, in order. */
  seeds: z._default(z.array(storedObject({ file: z.string(), hash: z.string() })), []),
  /** The age of its data (`now`, `snapshot`, `unknown`), and the cores of the preview and its parent, in thousandths. */
  fork: z.optional(
    storedObject({
      data: z.optional(z.string()),
      created_at: z.optional(z.string()),
      cpu_millis: z.optional(z.number()),
      parent_cpu_millis: z.optional(z.number()),
    }),
  ),
  /** The reason why the last run could not finish the preview. */
  problem: z.optional(z.string()),
  /** The files present when its connection details were published, by `reset_on`. */
  migrations: z.optional(
    storedObject({ paths: z.array(z.string()), blobs: z.record(z.string(), z.string()) }),
  ),
})

export type PreviewNote = z.infer<typeof previewSchema>

/** Undefined if there is no note, or if it names another service: a fork inherits the note of its parent. */
export function parsePreviewNote(
  text: string | undefined,
  serviceId: string | undefined,
): Stored<PreviewNote> | undefined {
  if (text === undefined) return undefined
  const stored = parseStored(text, previewSchema)
  if (serviceId === undefined || 'problem' in stored) return stored
  return stored.value.service_id === serviceId ? stored : undefined
}
