/** Opens the database of a service as its owner, for the work that prepares it: notes, quarantine, masking and seeds. */
import { ActionError } from '#base/errors'
import type { Connection } from '#postgres/connection'
import { type LongLimits, type Session, StatementError, withLongSession } from '#postgres/session'
import type { Masking, MaskTask, RulesCheck } from './masking/masked.ts'
import { readMaskingStamp } from './notes/masking-stamp.ts'
import { type Comment, readNote, tryLockDatabase, writeNote } from './notes/notes.ts'
import type { KeepActive } from './quarantine/keep-active.ts'
import { type OpenSession, quarantine } from './quarantine/quarantine.ts'
import type { QuarantineReport } from './quarantine/report.ts'
import { mostOfSchema } from './schema/schema.ts'
import type { SqlFile } from './sql/sql-error.ts'

export class DatabaseRefusalError extends ActionError {
  constructor(what: string, { message, code, hint }: StatementError) {
    super(
      `the database refuses ${what}: ${message} (SQLSTATE ${code})`,
      hint ?? 'check that database_user owns the database',
      { cause: message },
    )
  }
}

const comment: Comment = 'managed-database-action: preview'

type Owned = Connection & { password: string }

async function doing<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    throw error instanceof StatementError ? new DatabaseRefusalError(what, error) : error
  }
}

async function inTransaction(session: Session, act: () => Promise<void>): Promise<void> {
  await session.query('begin')
  try {
    await act()
    await session.query('commit')
  } catch (error) {
    if (error instanceof StatementError) await session.attempt('rollback')
    throw error
  }
}

interface Openers {
  open: OpenSession
  openAnother: OpenSession
  openForSchema: OpenSession
}

/** Milliseconds. The schema baseline only serves comparisons, so a run does not wait longer for it. */
const longestForSchema = 90_000

/** The work in the database of a service, in one session. Masking opens several. */
function openedBy(session: Session, { open, openAnother, openForSchema }: Openers) {
  return {
    tryLock: () => tryLockDatabase(session),
    read: () => doing('to be read', () => readNote(session, comment)),
    write: (text: string) =>
      doing('to keep a note', () => inTransaction(session, () => writeNote(session, comment, text))),
    quarantine: (keepActive: KeepActive, before: QuarantineReport | undefined) =>
      doing('the quarantine', () => quarantine(open, { keepActive, again: before })),
    async proposeRules(): Promise<string> {
      const { proposeFile } = await import('./masking/propose/propose-file.ts')
      return await doing('to be read', () => proposeFile(session))
    },
    async checkRules(rules: SqlFile): Promise<RulesCheck> {
      const { checkFileOn } = await import('./masking/masking.ts')
      return await doing('to be checked', () => checkFileOn(session, rules))
    },
    async keepSchema(serviceId: string): Promise<void> {
      const { keepSchemaBaseline } = await import('./notes/schema-baseline.ts')
      // A separate session, so that its failure does not affect this one.
      await openForSchema(other => keepSchemaBaseline(other, serviceId))
    },
    readMaskingStamp: () => doing('to be read', () => readMaskingStamp(session)),
    async mask(request: MaskTask): Promise<Masking> {
      // A separate file of the bundle, because only one operation masks.
      const { maskAndStamp } = await import('./masking/mask-and-stamp.ts')
      return await maskAndStamp(openAnother, request)
    },
    async seed(file: SqlFile, text: string, inEffect: string[]): Promise<void> {
      const { runSeed } = await import('./sql/seeds.ts')
      await runSeed(session, file, inEffect, () => writeNote(session, comment, text))
    },
  }
}

/** Opens the database of a service as its owner, runs `use`, and closes it. */
export async function openDatabase<Result>(
  connection: Owned,
  limits: LongLimits,
  use: (database: ReturnType<typeof openedBy>) => Promise<Result>,
): Promise<Result> {
  return await withLongSession(connection, limits, session => {
    const open: OpenSession = (within, database) =>
      database === undefined
        ? within(session)
        : withLongSession({ ...connection, database }, limits, other => within(other))
    const forSchema = {
      ...limits,
      longest: Math.min(limits.longest, longestForSchema),
      mostBytes: mostOfSchema,
    }
    return use(
      openedBy(session, {
        open,
        openAnother: (within, database = connection.database) =>
          withLongSession({ ...connection, database }, limits, within),
        openForSchema: within => withLongSession(connection, forSchema, within),
      }),
    )
  })
}
