import * as z from 'zod/mini'
import { messageOf } from '../../base/errors.ts'
import { kinds } from '../../contents/quarantine/keep-active.ts'
import type { OpenDatabase } from '../../operations/base/contents.ts'

const item = z.object({ id: z.string(), kind: z.enum(kinds), name: z.string(), database: z.string() })

/** The report of a quarantine, as it was kept. */
const report = z.object({
  at: z.number(),
  quarantined: z.array(item),
  kept: z.array(item),
  undone: z.array(
    z.object({ item: z.optional(item), what: z.string(), reason: z.string(), next: z.string() }),
  ),
  ran: z.array(
    z.object({ job: z.string(), database: z.string(), times: z.nullable(z.number()), before: z.number() }),
  ),
  callers: z.array(z.object({ database: z.string(), name: z.string() })),
  remarks: z.array(z.string()),
})

/**
 * What runs note in the database of a preview for later runs. It names its service, since a fork inherits what its
 * parent keeps.
 */
const State = z.object({
  service_id: z.string(),
  /** The name of the preview without its random part. Databases prepared before this was noted have none. */
  preview: z.optional(z.string()),
  /** A run has done all that is to be done before the database is handed out. */
  ready: z.boolean(),
  /** No run had noted anything when it was old: get-connection hands it out as it is. */
  adopted: z.optional(z.boolean()),
  quarantine: z.optional(
    z.object({
      report,
      /** What was to go on working, by the input, as JSON. */
      keep_active: z.string(),
      /** Since when the server ran: after another start, the database is quarantined again. */
      started_at: z.string(),
    }),
  ),
  /** Whether the schema with which it began is kept; false where that failed. */
  schema_kept: z.optional(z.boolean()),
  /** The files that filled it, in order. */
  seeds: z.array(z.object({ file: z.string(), hash: z.string() })),
  /** When its data is of, for people, and the cores of it and its parent in thousandths: what a rehearsal says of its times. */
  fork: z.optional(
    z.object({
      data: z.enum(['now', 'snapshot', 'unknown']),
      created_at: z.optional(z.string()),
      cpu_millis: z.optional(z.number()),
      parent_cpu_millis: z.optional(z.number()),
    }),
  ),
  /** Why the last run could not finish it. */
  problem: z.optional(z.string()),
  /** The files that it was handed out with, by `reset_on`. */
  migrations: z.optional(z.object({ paths: z.array(z.string()), blobs: z.record(z.string(), z.string()) })),
})

export type PreviewState = z.output<typeof State>

/** A text as JSON; undefined if it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The state in a text that was kept in the database of a service; undefined if it is another's, or no state at all: whoever
 * works in the database may have changed it.
 */
export function readState(text: string | undefined, serviceId: string): PreviewState | undefined {
  const state = text === undefined ? undefined : State.safeParse(parse(text)).data
  return state?.service_id === serviceId ? state : undefined
}

/** Keeps for others why the database is not finished. Where that fails, they see that it is not. */
export async function noteProblem(
  database: OpenDatabase,
  state: PreviewState,
  failure: unknown,
): Promise<void> {
  await database
    .write(JSON.stringify({ ...state, problem: messageOf(failure).slice(0, 300) }))
    .catch(() => {})
}

/** The state of a database in which no run has noted anything. */
export const newState = (serviceId: string): PreviewState => ({
  service_id: serviceId,
  ready: false,
  seeds: [],
})
