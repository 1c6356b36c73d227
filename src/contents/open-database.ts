/** Opens the database of a service as its owner, to prepare it: notes, quarantine, masking and seed files. */
import { ActionError } from '#base/errors'
import type { ConnectionLimits } from '#postgres/connect'
import type { LoginConnection } from '#postgres/connection'
import {
  inTransaction,
  type OpenSession,
  orRefusal,
  type Session,
  StatementError,
  withSession,
} from '#postgres/session'
import type { RulesCheck } from './masking/check-mask-file.ts'
import type { MaskTask } from './masking/masking.ts'
import type { Masking } from './masking/report.ts'
import { readMaskingStamp } from './notes/masking-stamp.ts'
import { readNote, tryLockDatabase, writeNote } from './notes/notes.ts'
import type { KeepActive } from './quarantine/keep-active.ts'
import { quarantine } from './quarantine/quarantine.ts'
import type { QuarantineReport } from './quarantine/report.ts'
import { mostSchemaBytes } from './schema/schema.ts'
import type { SqlFile } from './sql/sql-error.ts'

interface DatabaseLimits extends ConnectionLimits {
  /** Milliseconds until each login is accepted. */
  loginTimeout: number
}

/** Runs an action. If the server refuses a statement, the error names the purpose: "the database refuses …". */
async function namePurpose<Result>(purpose: string, act: () => Promise<Result>): Promise<Result> {
  const result = await orRefusal(act())
  if (!(result instanceof StatementError)) return result
  const { message, code, hint = 'check that database_user owns the database' } = result
  throw new ActionError(`the database refuses ${purpose}: ${message} (SQLSTATE ${code})`, hint, {
    cause: message,
  })
}

/** Milliseconds. The schema baseline only serves comparisons, so a run does not wait longer for it. */
const longestForBaseline = 90_000

/** The operations on the database of a service. All use one session, except the baseline and masking, which open others. */
function createOperations(session: Session, connection: LoginConnection, limits: DatabaseLimits) {
  const openAnother: OpenSession = (use, database = connection.database) =>
    withSession({ ...connection, database }, limits, use)
  /** Opens other databases, and uses this session for its own. */
  const open: OpenSession = (use, database) =>
    database === undefined ? use(session) : openAnother(use, database)
  return {
    /** Locks the database against other runs until it is closed. False if another run has the lock. */
    tryLock: () => tryLockDatabase(session),
    /** Reads the note of the preview. */
    readNote: () => namePurpose('to be read', () => readNote(session, 'preview')),
    /** Replaces the note of the preview. */
    writeNote: (text: string) =>
      namePurpose('to store a note', () => inTransaction(session, () => writeNote(session, 'preview', text))),
    /** `earlier`: the report of an earlier quarantine of the same database. */
    quarantine: (keepActive: KeepActive, earlier: QuarantineReport | undefined) =>
      namePurpose('the quarantine', () => quarantine(open, { keepActive, earlier })),
    /** Proposes a complete file of masking rules, without any value of the database. */
    async proposeRules(): Promise<string> {
      const { proposeFile } = await import('./masking/propose/proposal.ts')
      return await namePurpose('to be read', () => proposeFile(session))
    },
    /** Checks a file of rules against all rows. @throws ActionError naming all problems, never a value */
    async checkMaskFile(rules: SqlFile): Promise<RulesCheck> {
      const { checkMaskFile } = await import('./masking/masking.ts')
      return await namePurpose('to be checked', () => checkMaskFile(session, rules))
    },
    /** Stores the schema baseline. */
    async storeSchema(serviceId: string): Promise<void> {
      const { storeSchemaBaseline } = await import('./notes/schema-baseline.ts')
      const timeout = Math.min(limits.timeout, longestForBaseline)
      const shortLimits = { ...limits, timeout, mostBytes: mostSchemaBytes }
      // A separate session, so that its failure does not affect this one.
      await withSession(connection, shortLimits, other => storeSchemaBaseline(other, serviceId))
    },
    readMaskingStamp: () => namePurpose('to be read', () => readMaskingStamp(session)),
    /**
     * Masks the database, searches it for originals, and stores the masking stamp if none is found. After a failure it
     * must not be masked again: masked values would be taken for originals.
     * @throws ActionError that names tables and columns, never values
     */
    async mask(request: MaskTask): Promise<Masking> {
      // A separate file of the bundle, because only one operation masks.
      const { maskAndStamp } = await import('./masking/masking.ts')
      return await maskAndStamp(openAnother, request)
    },
    /**
     * Runs a file and writes `text` into the note of the preview, in one transaction. `inEffect`: the files that ran
     * before, for the error message.
     * @throws RefusedStatementError when the server refuses a statement
     */
    async seed(file: SqlFile, text: string, inEffect: string[]): Promise<void> {
      const { runSeed } = await import('./sql/seeds.ts')
      await runSeed(session, file, inEffect, () => writeNote(session, 'preview', text))
    },
  }
}

/** A database opened by its owner, to be prepared before its connection is published. */
export type OpenDatabase = ReturnType<typeof createOperations>

/** Opens the database of a service as its owner, runs `use`, and closes it. */
export const openDatabase = <Result>(
  connection: LoginConnection,
  limits: DatabaseLimits,
  use: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> =>
  withSession(connection, limits, session => use(createOperations(session, connection, limits)))
