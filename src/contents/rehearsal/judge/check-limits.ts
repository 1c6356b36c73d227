/** Compares the measurements of a rehearsal with its limits: one check for each row of the table of limits. */
import { renderCount } from '#base/bytes'
import { keysOf } from '#base/table'
import { type Tables, tableOf } from '../measure/catalog.ts'
import { allowedBy, type Limit, type Limits, renderMeasured } from '../result/limits.ts'
import { type Blocked, blockable } from '../result/lock-modes.ts'
import type { HeldLock, MeasuredStatement, Violation } from '../result/stored.ts'
import { adviceFor } from './advice.ts'
import type { Ignorable, Ignores } from './places.ts'

/** A statement to check, with the reasons to ignore its findings. */
export interface CheckedStatement {
  statement: MeasuredStatement
  sql: string
  ignores: Ignores
}

/** The facts about a migration that the checks need. */
interface MeasuredMigration {
  limits: Limits
  catalog: Tables
  /** The major version of the server. */
  version: number
  duration: number
  wal: number
}

/** A measured value with its description. */
interface Measurement extends Pick<Violation, 'measured' | 'also' | 'table' | 'advice'> {
  /** One line, without the limit. */
  sentence: string
  /** Replaces the limit of the row in the message, if two are exceeded. */
  shown?: string | undefined
}

interface StatementCheck {
  /** The kind of finding that a comment in the SQL can ignore. */
  ignored: Ignorable
  find(checked: CheckedStatement, context: CheckContext, allowed: number): Measurement[]
}

interface MigrationCheck {
  find(measured: MeasuredMigration): Measurement
  /** The reason in the comment that ignores the violation. */
  findReason?(statements: readonly CheckedStatement[]): string | undefined
}

/** Fewer rows are no finding, because applications lock as many in their own transactions. */
const manyRows = 1000

/** Milliseconds that the end of any transaction can take. */
const usualEnding = 50

const blockLimits: Record<Blocked, Limit> = { reads: 'max_read_block', writes: 'max_write_block' }

/** A lock that exceeds both limits is a violation of the first one. */
const findExceeded = ({ blocks, held }: HeldLock, context: CheckContext) =>
  blockable.filter(blocked => blocks.includes(blocked) && held > context.allowed(blockLimits[blocked]))

function findBlockingLocks(
  checked: CheckedStatement,
  context: CheckContext,
  blocked: Blocked,
): Measurement[] {
  return checked.statement.locks.flatMap(lock => {
    const { table, held } = lock
    const exceeded = findExceeded(lock, context)
    const [first, second] = exceeded
    if (first !== blocked || context.isSmall(table)) return []
    const limits = exceeded.map(
      each => `${renderMeasured(blockLimits[each], context.allowed(blockLimits[each]))} for ${each}`,
    )
    const preposition = exceeded.join() === 'writes' ? 'to' : 'of'
    return [
      {
        measured: held,
        table,
        also: second && blockLimits[second],
        shown: second && `limits ${limits.join(' and ')}`,
        sentence: `${exceeded.join(' and ')} ${preposition} ${table} blocked for ${renderMeasured(blockLimits[blocked], held)}`,
        advice: context.advise(checked, table, held),
      },
    ]
  })
}

/** A lock that blocks all writes makes row locks redundant. */
function findLockedRows(checked: CheckedStatement, context: CheckContext, allowed: number): Measurement[] {
  const { locks, rows } = checked.statement
  return rows.flatMap(({ table, updated, deleted, held }) => {
    const count = updated + deleted
    const isBlocked = locks.some(lock => lock.table === table && lock.blocks.includes('writes'))
    if (isBlocked || held <= allowed || count < manyRows) return []
    if (context.isSmall(table) || !context.hasExisted(table)) return []
    return [
      {
        measured: held,
        table,
        advice: context.advise(checked, table, held),
        sentence: `writes to ${renderCount(count)} rows of ${table} blocked for ${renderMeasured('max_write_block', held)}`,
      },
    ]
  })
}

/** Violations of a statement are reported in this order, before those of the migration. */
const statementChecks = {
  max_read_block: {
    ignored: 'lock',
    find: (checked, context) => findBlockingLocks(checked, context, 'reads'),
  },
  max_write_block: {
    ignored: 'lock',
    find: (checked, context, allowed) => [
      ...findBlockingLocks(checked, context, 'writes'),
      ...findLockedRows(checked, context, allowed),
    ],
  },
  max_rewrite: {
    ignored: 'rewrite',
    find: (checked, context, allowed) =>
      checked.statement.rewrites
        .filter(({ table, bytes }) => bytes > allowed && !context.isSmall(table))
        .map(({ table, bytes }) => ({
          measured: bytes,
          table,
          advice: context.advise(checked, table, 0),
          sentence: `${table} rewritten, ${renderMeasured('max_rewrite', bytes)}`,
        })),
  },
} satisfies Partial<Record<Limit, StatementCheck>>

const migrationChecks: Record<Exclude<Limit, keyof typeof statementChecks>, MigrationCheck> = {
  max_duration: {
    find: ({ duration }) => ({
      measured: duration,
      sentence: `the migration took ${renderMeasured('max_duration', duration)}`,
      advice: 'move statements that change many rows out of the migration, and run them in batches',
    }),
  },
  max_wal: {
    // The statement that wrote the most WAL gives the reason for the whole migration.
    findReason: statements =>
      statements.toSorted((first, second) => second.statement.wal - first.statement.wal)[0]?.ignores.wal,
    find: ({ wal }) => ({
      measured: wal,
      sentence: `${renderMeasured('max_wal', wal)} written to the log of the server`,
      advice: 'change rows in batches with pauses, so that replicas and backups keep up',
    }),
  },
}

function describe(limit: Limit, found: Measurement, allowed: number, ignored: string | undefined): Violation {
  const { sentence, shown = `limit ${renderMeasured(limit, allowed)}`, ...others } = found
  return { limit, allowed, ignored, message: `${sentence} (${shown})`, ...others }
}

/** The facts and limits with which the checks compare a statement. */
function createCheckContext({ catalog, limits, version }: MeasuredMigration) {
  const tables = new Map(
    [...catalog.relations.values()]
      .filter(relation => tableOf(catalog, relation.id) === relation)
      .map(table => [table.name, table]),
  )
  return {
    allowed: (limit: Limit) => allowedBy(limits, limit),
    isSmall(name: string): boolean {
      const table = tables.get(name)
      return table !== undefined && (catalog.extents.get(table.id)?.bytes ?? 0) < (limits.minTableSize ?? 0)
    },
    /** True if a table existed before the migration. */
    hasExisted: (name: string) => tables.has(name),
    advise({ sql, statement }: CheckedStatement, name: string, held: number): string {
      const table = tables.get(name)
      return adviceFor({
        sql,
        version,
        isHypertable: table?.isHypertable === true,
        isPartitioned: table?.kind === 'p',
        isHeldLong: held > 2 * statement.duration + usualEnding,
      })
    },
  }
}

type CheckContext = ReturnType<typeof createCheckContext>

/** All violations in the order of the statements. Violations of the whole migration come last. */
export function findViolations(
  migration: MeasuredMigration,
  statements: readonly CheckedStatement[],
): Violation[] {
  const context = createCheckContext(migration)
  const ofStatement = (checked: CheckedStatement, index: number): Violation[] =>
    keysOf(statementChecks).flatMap(limit => {
      const { find, ignored }: StatementCheck = statementChecks[limit]
      const allowed = context.allowed(limit)
      return find(checked, context, allowed).map(found => ({
        ...describe(limit, found, allowed, checked.ignores[ignored]),
        statement: index,
        place: checked.statement.place,
      }))
    })
  const ofMigration = keysOf(migrationChecks).flatMap(limit => {
    const { find, findReason } = migrationChecks[limit]
    const [found, allowed] = [find(migration), context.allowed(limit)]
    return found.measured > allowed ? [describe(limit, found, allowed, findReason?.(statements))] : []
  })
  return [...statements.flatMap(ofStatement), ...ofMigration]
}
