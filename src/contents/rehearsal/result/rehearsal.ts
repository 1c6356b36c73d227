import type { Blocked, LockMode } from './lock-modes.ts'

/**
 * What running a migration on a copy of the data has shown. It is plain JSON that is kept and goes into comments: names,
 * counts and times, never the value of a row. Times are milliseconds, sizes bytes.
 */
export interface Rehearsal {
  /** `failed`: a limit was exceeded and nobody ignores it, or the migration itself failed. */
  verdict: 'passed' | 'failed' | 'not measured'
  violations: Violation[]
  statements: MeasuredStatement[]
  effects: Effect[]
  /** Whether any effect loses data. */
  destructive: boolean
  /** Of what was run, so that an approval holds for nothing else. Hexadecimal. */
  migrationHash: string
  duration: number
  /** Written to the log of the server while the migration ran, by anybody. */
  wal: number
  temporaryBytes: number
  measuredOn: MeasuredOn
  /** Why it was not measured, or why the migration failed: one line. */
  problem?: string
}

/** Where the migration was run. */
export interface MeasuredOn {
  /** As the server says it: `17.6`. */
  serverVersion: string
  /** When it began, ISO 8601. */
  at: string
  /** Where the preview comes from, as far as the run that made it noted that. */
  fork?: ForkFacts | undefined
}

/** What a preview was forked from, and how strong both are. */
export interface ForkFacts {
  /** The parent's data when the fork was created, its last snapshot before that, or one of these. */
  data?: 'now' | 'snapshot' | 'unknown' | undefined
  createdAt?: string | undefined
  /** Thousandths of a core. */
  cpuMillis?: number | undefined
  parentCpuMillis?: number | undefined
}

/** A statement of a file in the repository. */
export interface StatementPlace {
  file: string
  line: number
}

/** One statement, and what it did while it ran. */
export interface MeasuredStatement {
  /** The first words of the statement, without any value. */
  text: string
  place?: StatementPlace
  duration: number
  /** The strongest lock that it took on each table, where it is stronger than what the transaction had before. */
  locks: HeldLock[]
  rewrites: Rewrite[]
  rows: ChangedRows[]
  /** Written to the log of the server while it ran, by anybody. */
  wal: number
  /** It ran in a transaction, where its locks are read exactly; else they were looked for every few milliseconds. */
  exact: boolean
  /** The server refused it: its code and message. */
  failure?: string
}

export interface HeldLock {
  /** The table, or the hypertable or partitioned table that all of its locked parts belong to. */
  table: string
  mode: LockMode
  /** How many chunks or partitions of it are locked. */
  parts?: number
  /** From the statement that took it to the end of the transaction. */
  held: number
  blocks: Blocked[]
  /** Other sessions that were seen to wait for it. */
  waiting?: number
}

export interface Rewrite {
  table: string
  /** What the new files hold, with indexes; 0 for TRUNCATE. */
  bytes: number
}

export interface ChangedRows {
  table: string
  inserted: number
  updated: number
  deleted: number
  /** How long whoever wants to change the same rows has to wait: to the end of the transaction. */
  held: number
}

export const limits = [
  ...['max_write_block', 'max_read_block', 'max_duration', 'max_rewrite', 'max_wal'],
  // Its violation is the loss of data that nobody has approved.
  'approve_destructive',
] as const

export type Limit = (typeof limits)[number]

/** A limit that was exceeded. */
export interface Violation {
  /** The input that sets the limit. */
  limit: Limit
  /** What was measured, and the limit itself: milliseconds or bytes. */
  measured: number
  allowed: number
  /** One line: `writes to orders blocked for 42 s (limit 2 s)`. */
  message: string
  /** What is usual to do instead, in one line. */
  advice: string
  table?: string
  /** Which of `statements` it was; left out for the migration as a whole. */
  statement?: number
  place?: StatementPlace
  /** The reason that the SQL gives for ignoring it. Then it does not count. */
  ignored?: string
}

export type EffectKind =
  | 'table dropped'
  | 'column dropped'
  | 'type narrowed'
  | 'rows deleted'
  | 'table emptied'
  | 'constraint not valid'
  | 'index invalid'

/** What the migration did to data, or left unfinished. */
export interface Effect {
  kind: EffectKind
  /** The table, column, constraint or index. */
  object: string
  /** One line: `column orders.note dropped, about 1,204,000 values`. */
  message: string
  /** Rows or values; left out where it is not known. */
  count?: number
  /** By the statistics of the server. */
  isEstimate?: boolean
  /** Whether data is lost. */
  destructive: boolean
}

/** `2026-01-31 04:10 UTC`; undefined for what is no date. */
export function renderMoment(at: number): string | undefined {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? undefined : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Other sessions that were seen waiting for a lock: `, 3 waited`; nothing where there were none. */
export const describeWaiting = ({ waiting = 0 }: HeldLock) => (waiting > 0 ? `, ${waiting} waited` : '')

/** What a reader must know of the place to judge the times: `on a fork of 2026-01-31 04:10 UTC, 2 CPU (parent 8), PostgreSQL 17.6`. */
export function describeConditions(
  { serverVersion, fork = {} }: MeasuredOn,
  words: (text: string) => string,
) {
  const { data, createdAt = '', cpuMillis, parentCpuMillis } = fork
  const at = renderMoment(Date.parse(createdAt))
  const of =
    data === 'snapshot'
      ? `of the last snapshot before ${at}`
      : `of ${at}${data === 'now' ? '' : ' at the latest'}`
  const parent = parentCpuMillis === undefined ? '' : ` (parent ${parentCpuMillis / 1000})`
  return [
    data && at && `on a fork ${of}`,
    cpuMillis !== undefined && `${cpuMillis / 1000} CPU${parent}`,
    serverVersion && `PostgreSQL ${words(serverVersion)}`,
  ]
    .filter(Boolean)
    .join(', ')
}
