/** The stored form of measurements on a preview: one schema, from which the types are derived. */
import * as z from 'zod/mini'
import { storedObject, storedVersion } from '#base/stored'

/** The most items of a list and characters of a text in the note. */
export const mostItems = 40
export const longestText = 300

/** The most runs in the note of a preview. */
export const mostRuns = 30

const text = z.string().check(z.maxLength(longestText))
const count = z.number().check(z.nonnegative())
const list = <Item extends z.ZodMiniType>(item: Item) => z.array(item).check(z.maxLength(mostItems))

/** A statement of a file in the repository. */
const place = storedObject({ file: text, line: count })

const violation = storedObject({
  /** The input that sets the limit, and one whose limit the same lock exceeds. */
  limit: text,
  also: z.optional(text),
  /** The measured value, and the limit. */
  measured: count,
  allowed: count,
  /** One line: `writes to orders blocked for 42 s (limit 2 s)`. */
  message: text,
  /** The usual alternative, in one line. */
  advice: text,
  table: z.optional(text),
  /** The index in `statements`; undefined for the whole migration. */
  statement: z.optional(count),
  /** The id of that statement. */
  of: z.optional(text),
  place: z.optional(place),
  /** The reason in the SQL for ignoring the violation. An ignored violation does not count. */
  ignored: z.optional(text),
  /** The statement ran again or was rolled back, so the violation no longer counts. */
  replaced: z.optional(z.boolean()),
})

const lock = storedObject({
  /** The table; for a partition or chunk, its parent. */
  table: text,
  mode: text,
  /** The number of locked chunks or partitions. */
  parts: z.optional(count),
  /** Milliseconds from the statement that took the lock to the end of the transaction. */
  held: count,
  /** Too short for a sample: `held` is the upper bound. */
  isShort: z.optional(z.boolean()),
  /** `reads`, `writes`. */
  blocks: list(text),
})

/** The bytes of a table's new files, with indexes; 0 for TRUNCATE. */
const rewrite = storedObject({ table: text, bytes: count })

/** `held`: the time for which a change of the same rows has to wait, to the end of the transaction. */
const rows = storedObject({ table: text, updated: count, deleted: count, held: count })

const statement = storedObject({
  /** The hash of its file and SQL: the same when the statement runs again. */
  id: z.optional(text),
  /** The first words of the statement, without values. */
  text,
  place: z.optional(place),
  duration: count,
  /** The strongest lock on each table, if it is stronger than the earlier locks of the transaction. */
  locks: list(lock),
  rewrites: list(rewrite),
  rows: list(rows),
  /** The WAL of all sessions during the statement. */
  wal: count,
  /** True in a transaction, where locks are read exactly. Outside, locks are sampled every few milliseconds. */
  exact: z.boolean(),
  /** The code and message with which the server refused the statement. */
  failure: z.optional(text),
})

const effect = storedObject({
  kind: text,
  /** The table, column, constraint or index. */
  object: text,
  /** One line: `column orders.note dropped, about 1,204,000 values`. */
  message: text,
  /** The next step, in one line, if no data is lost. */
  advice: z.optional(text),
  /** Rows or values; undefined if the number is unknown. */
  count: z.optional(count),
  /** The count comes from the statistics. */
  isEstimate: z.optional(z.boolean()),
  /** Whether the effect loses data. */
  destructive: z.boolean(),
})

/** The origin of a preview's data, and the CPU of fork and parent in thousandths. */
const fork = storedObject({
  /** The parent's data when the fork was created (`now`), its last `snapshot` before, or either of them. */
  data: z.optional(text),
  createdAt: z.optional(text),
  cpuMillis: z.optional(count),
  parentCpuMillis: z.optional(count),
})

/** The measurements of a migration on a copy of the data: names, counts and times, never values of rows. */
const rehearsal = storedObject({
  /** `failed`: the migration failed, or exceeded a limit that no comment ignores. */
  verdict: z.enum(['passed', 'failed', 'not measured']),
  violations: list(violation),
  statements: list(statement),
  effects: list(effect),
  /** Names of all unfinished constraints and indexes after the migration. */
  unfinished: z.optional(list(text)),
  /** Whether any effect loses data. */
  destructive: z.boolean(),
  /** The hash of the SQL, so that an approval applies to no other migration. */
  migrationHash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** The hash of the ids of its changing statements (`isChange`). Undefined without any. */
  ran: z.optional(text),
  duration: count,
  /** The WAL of all sessions during the migration. */
  wal: count,
  temporaryBytes: count,
  /** The server version (`17.6`), and the start in ISO 8601. */
  measuredOn: storedObject({ serverVersion: text, at: text, fork: z.optional(fork) }),
  /** The reason why the migration failed or was not measured, in one line. */
  problem: z.optional(text),
})

const run = storedObject({
  /** Milliseconds since 1970. */
  at: count,
  /** The head commit of the pull request, if the event names it. */
  commit: z.optional(text),
  /** The page of the run. */
  url: z.optional(text),
  rehearsal,
  /** The number of statements that are not stored. */
  omitted: count,
  /** All of its statements ran again. */
  replaced: z.optional(z.boolean()),
})

/**
 * Anyone with the password can write the note, so every text and list has a limit. The kinds of limits, locks and effects are
 * texts, because a newer version may store unknown kinds. Times are milliseconds, sizes bytes.
 */
export const historySchema = storedObject({
  service_id: text,
  version: z._default(count, storedVersion),
  runs: z.array(run).check(z.maxLength(mostRuns)),
  /** The hashes of completed SQL files, by name. */
  files: z._default(z.record(text, text), {}),
})

export type StoredHistory = z.infer<typeof historySchema>

export type MigrationRun = StoredHistory['runs'][number]

export type FileHashes = StoredHistory['files']

export type Rehearsal = MigrationRun['rehearsal']
export type Violation = Rehearsal['violations'][number]
export type MeasuredStatement = Rehearsal['statements'][number]
export type HeldLock = MeasuredStatement['locks'][number]
export type ChangedRows = MeasuredStatement['rows'][number]
export type StatementPlace = NonNullable<MeasuredStatement['place']>
export type Effect = Rehearsal['effects'][number]
export type MeasuredOn = Rehearsal['measuredOn']
export type ForkFacts = NonNullable<MeasuredOn['fork']>
