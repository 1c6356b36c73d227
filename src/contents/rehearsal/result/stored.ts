/** The stored form of what runs measured on a preview: one schema, from which the types are derived. */
import * as z from 'zod/mini'
import { storedObject, storedVersion } from '#base/stored'

/** The most items that a run keeps of each list, and the most characters of each text. */
export const mostItems = 40
export const longestText = 300

/** The most runs that are kept of one preview. */
export const mostRuns = 30

const text = z.string().check(z.maxLength(longestText))
const count = z.number().check(z.nonnegative())
const list = <Item extends z.ZodMiniType>(item: Item) => z.array(item).check(z.maxLength(mostItems))

/** A statement of a file in the repository. */
const place = storedObject({ file: text, line: count })

/** A limit that was exceeded. */
const violation = storedObject({
  /** The input that sets the limit. */
  limit: text,
  /** What was measured, and the limit itself. */
  measured: count,
  allowed: count,
  /** One line: `writes to orders blocked for 42 s (limit 2 s)`. */
  message: text,
  /** The usual alternative, in one line. */
  advice: text,
  table: z.optional(text),
  /** Which of `statements` it was; left out for the migration as a whole. */
  statement: z.optional(count),
  /** The id of that statement. */
  of: z.optional(text),
  place: z.optional(place),
  /** The reason that the SQL gives for ignoring it. Then it does not count. */
  ignored: z.optional(text),
  /** It does not count any more: its statement ran again, or was undone. */
  replaced: z.optional(z.boolean()),
})

const lock = storedObject({
  /** The table, or the hypertable or partitioned table that all of its locked parts belong to. */
  table: text,
  mode: text,
  /** How many chunks or partitions of it are locked. */
  parts: z.optional(count),
  /** From the statement that took it to the end of the transaction. */
  held: count,
  /** Too short for a sample: `held` is the most it can have been. */
  isShort: z.optional(z.boolean()),
  /** `reads`, `writes`. */
  blocks: list(text),
  /** Other sessions that were seen to wait for it. */
  waiting: z.optional(count),
})

/** What the new files of a table hold, with indexes; 0 for TRUNCATE. */
const rewrite = storedObject({ table: text, bytes: count })

/** `held`: how long a change of the same rows has to wait, to the end of the transaction. */
const rows = storedObject({ table: text, inserted: count, updated: count, deleted: count, held: count })

/** One statement, and what it did while it ran. */
const statement = storedObject({
  /** The hash of its file and SQL: the same when the statement runs again. */
  id: z.optional(text),
  /** The first words of the statement, without any value. */
  text,
  place: z.optional(place),
  duration: count,
  /** The strongest lock that it took on each table, where it is stronger than what the transaction had before. */
  locks: list(lock),
  rewrites: list(rewrite),
  rows: list(rows),
  /** Written to the log of the server while it ran, by anybody. */
  wal: count,
  /** It ran in a transaction, where its locks are read exactly; else they were sampled every few milliseconds. */
  exact: z.boolean(),
  /** The server refused it: its code and message. */
  failure: z.optional(text),
})

/** What the migration did to data, or left unfinished. */
const effect = storedObject({
  kind: text,
  /** The table, column, constraint or index. */
  object: text,
  /** One line: `column orders.note dropped, about 1,204,000 values`. */
  message: text,
  /** Rows or values; left out where it is not known. */
  count: z.optional(count),
  /** By the statistics of the server. */
  isEstimate: z.optional(z.boolean()),
  /** Whether data is lost. */
  destructive: z.boolean(),
})

/** What a preview was forked from, and the CPU of both in thousandths. */
const fork = storedObject({
  /** The parent's data when the fork was created, its last snapshot before that, or one of these. */
  data: z.optional(text),
  createdAt: z.optional(text),
  cpuMillis: z.optional(count),
  parentCpuMillis: z.optional(count),
})

/** What running a migration on a copy of the data has shown: names, counts and times, never the value of a row. */
const rehearsal = storedObject({
  /** `failed`: a limit was exceeded and no comment ignores it, or the migration itself failed. */
  verdict: z.enum(['passed', 'failed', 'not measured']),
  violations: list(violation),
  statements: list(statement),
  effects: list(effect),
  /** Whether any effect loses data. */
  destructive: z.boolean(),
  /** Of the SQL that was run, so that an approval holds for nothing else. */
  migrationHash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** The hash of the ids of its statements, but those that only read, or create a table unless it exists; none without any. */
  ran: z.optional(text),
  duration: count,
  /** Written to the log of the server while the migration ran, by anybody. */
  wal: count,
  temporaryBytes: count,
  /** Where the migration was run: the version of the server (`17.6`), and when it began, ISO 8601. */
  measuredOn: storedObject({ serverVersion: text, at: text, fork: z.optional(fork) }),
  /** Why it was not measured, or why the migration failed: one line. */
  problem: z.optional(text),
})

const run = storedObject({
  /** Milliseconds since 1970. */
  at: count,
  /** The newest commit of the pull request, where the event names it. */
  commit: z.optional(text),
  /** The page of the run. */
  url: z.optional(text),
  rehearsal,
  /** How many of its statements are left out here. */
  omitted: count,
  /** All of its statements ran again. */
  replaced: z.optional(z.boolean()),
})

/**
 * The stored form. Whoever knows the password may have written it: every text and list has a limit. The kinds of
 * limits, locks and effects are texts, since a newer version may store kinds that this one does not know. Times are milliseconds, sizes bytes.
 */
export const historySchema = storedObject({
  service_id: text,
  version: z._default(count, storedVersion),
  runs: z.array(run).check(z.maxLength(mostRuns)),
  /** The hashes of the SQL files that were run to their ends, by their names. */
  files: z._default(z.record(text, text), {}),
})

export type StoredHistory = z.infer<typeof historySchema>

/** What one run of a workflow measured on a preview. */
export type MigrationRun = StoredHistory['runs'][number]

/** The hashes of files of SQL, by what messages call them. */
export type FileHashes = StoredHistory['files']

export type Rehearsal = MigrationRun['rehearsal']
export type Violation = Rehearsal['violations'][number]
export type MeasuredStatement = Rehearsal['statements'][number]
export type HeldLock = MeasuredStatement['locks'][number]
export type Rewrite = MeasuredStatement['rewrites'][number]
export type ChangedRows = MeasuredStatement['rows'][number]
export type StatementPlace = NonNullable<MeasuredStatement['place']>
export type Effect = Rehearsal['effects'][number]
export type MeasuredOn = Rehearsal['measuredOn']
export type ForkFacts = NonNullable<MeasuredOn['fork']>
