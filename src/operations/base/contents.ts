/** The database of a service as operations see it, and the notes in it. */
import type { Masking, MaskTask, RulesCheck } from '#contents/masking/masked'
import type { MaskingStamp } from '#contents/notes/masking-stamp'
import type { KeepActive } from '#contents/quarantine/keep-active'
import type { QuarantineReport } from '#contents/quarantine/report'
import type { SeedFile } from '#contents/sql/seed-file'
import type { SqlFile } from '#contents/sql/sql-error'
import type { Connection } from '#postgres/connection'

export type { Masking, MaskingStamp, MaskTask }

/** What earlier runs kept in a database for later ones, and since when its server runs, by its own clock. */
export interface Kept {
  /** As it was written; undefined if nothing was. */
  text: string | undefined
  startedAt: string
}

/** A database that was opened by its owner, to be made fit for handing it out (src/contents). */
export interface OpenDatabase {
  /** Locks it against other runs that prepare it, until it is closed. False if another run has the lock. */
  tryLock(): Promise<boolean>
  read(): Promise<Kept>
  /**
   * Masks it, searches it for what was there before, and leaves the masking stamp if nothing of that is found. After a failure it is
   * of no use, and must not be masked again: masked values would be taken for originals.
   *
   * @throws ActionError that names tables and columns, never values
   */
  mask(task: MaskTask): Promise<Masking>
  /** A complete file of rules to start from, by names and statistics. No value of the database is in it. */
  proposeRules(): Promise<string>
  /**
   * Checks a file of rules against the tables and all of their rows.
   *
   * @throws ActionError naming all problems, never a value
   */
  checkRules(rules: SqlFile): Promise<RulesCheck>
  /** Keeps the schema as it is now, as that with which the database of this service began. */
  keepSchema(serviceId: string): Promise<void>
  /** Undefined where nobody has left one. */
  readMaskingStamp(): Promise<MaskingStamp | undefined>
  write(text: string): Promise<void>
  /** `before`: what an earlier quarantine of the same database did. */
  quarantine(keepActive: KeepActive, before: QuarantineReport | undefined): Promise<QuarantineReport>
  /**
   * Runs a file as one transaction, which writes `text` as well: afterwards both are done, or neither. `inEffect`: the
   * files that ran before, for what is said of a failure.
   *
   * @throws RefusedStatementError when the server refuses a statement
   */
  seed(file: SeedFile, text: string, inEffect: string[]): Promise<void>
}

/**
 * Opens a database, lets `use` work in it, and closes it.
 *
 * @param timeout milliseconds for connecting
 */
export type OpenContents = <Result>(
  connection: Connection & { password: string },
  timeout: number,
  use: (database: OpenDatabase) => Promise<Result>,
) => Promise<Result>
