/** The interface that operations use to work in the database of a service, and on its notes. */
import type { Masking, MaskTask, RulesCheck } from '#contents/masking/masked'
import type { MaskingStamp } from '#contents/notes/masking-stamp'
import type { KeepActive } from '#contents/quarantine/keep-active'
import type { QuarantineReport } from '#contents/quarantine/report'
import type { SeedFile } from '#contents/sql/seed-file'
import type { SqlFile } from '#contents/sql/sql-error'
import type { Connection } from '#postgres/connection'

export type { Masking, MaskingStamp, MaskTask }

/** The note that earlier runs stored in a database, and the start time of its server, by the server's clock. */
export interface Kept {
  text: string | undefined
  startedAt: string
}

/** A database opened by its owner, to be prepared before its connection is published (src/contents). */
export interface OpenDatabase {
  /** Locks the database against other runs that prepare it, until it is closed. False if another run has the lock. */
  tryLock(): Promise<boolean>
  read(): Promise<Kept>
  /**
   * Masks the database, searches it for originals, and stores the masking stamp if none is found. After a
   * failure the database is useless and must not be masked again: masked values would be taken for originals.
   * @throws ActionError that names tables and columns, never values
   */
  mask(task: MaskTask): Promise<Masking>
  /** Proposes a complete file of masking rules, by names and statistics. It contains no value of the database. */
  proposeRules(): Promise<string>
  /** Checks a file of rules against all rows of the tables. @throws ActionError naming all problems, never a value */
  checkRules(rules: SqlFile): Promise<RulesCheck>
  /** Stores the current schema as the schema baseline of this service. */
  keepSchema(serviceId: string): Promise<void>
  readMaskingStamp(): Promise<MaskingStamp | undefined>
  write(text: string): Promise<void>
  /** `before`: the report of an earlier quarantine of the same database. */
  quarantine(keepActive: KeepActive, before: QuarantineReport | undefined): Promise<QuarantineReport>
  /**
   * Runs a file and stores `text` in one transaction. `inEffect`: the files that ran before, for the error message.
   * @throws RefusedStatementError when the server refuses a statement
   */
  seed(file: SeedFile, text: string, inEffect: string[]): Promise<void>
}

/** Opens a database, runs `use`, and closes it. `timeout`: milliseconds for connecting. */
export type OpenContents = <Result>(
  connection: Connection & { password: string },
  timeout: number,
  use: (database: OpenDatabase) => Promise<Result>,
) => Promise<Result>
