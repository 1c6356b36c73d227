/** Compares the measurements of a rehearsal with its limits: one check for each row of the table of limits. */

import { renderCount } from '#base/bytes'
import { keysOf } from '#base/table'
import { type Catalog, measureTables, tableOf } from '../measure/catalog.ts'
import { allowedBy, type Limit, type Limits, renderMeasured } from '../result/limits.ts'
import { type Blocked, blockable } from '../result/lock-modes.ts'
import type { HeldLock, MeasuredStatement, Violation } from '../result/stored.ts'
import { adviceFor } from './advice.ts'
import type { Ignorable, Ignores } from './places.ts'

export interface Judged {
  statement: MeasuredStatement
  sql: string
  ignores: Ignores
}

export interface Judgement {
  limits: Limits
  catalog: Catalog
  /** The major version of the server. */
  version: number
  duration: number
  wal: number
}

interface Found {
  measured: number
  /** One line, without the limit. */
  sentence: string
  /** Replaces the limit of the row in the message. */
  shown?: string
  table?: string
  advice: string
}

interface StatementCheck {
  /** The kind of finding that a comment in the SQL can ignore. */
  ignored: Ignorable
  find(one: Judged, judge: Judge, allowed: number): Found[]
}

interface MigrationCheck {
  find(measured: Judgement): Found
  /** The reason in the comment that ignores the violation. */
  findReason?(all: readonly Judged[]): string | undefined
}

/** Applications also change fewer rows than this in one transaction, and wait for them. */
const manyRows = 1000

/** Milliseconds that the end of any transaction can take. */
const noticeable = 50

const blockLimits: Record<Blocked, Limit> = { reads: 'max_read_block', writes: 'max_write_block' }

/** A lock that exceeds both limits is a violation of the first one. */
const exceededBy = ({ blocks, held }: HeldLock, judge: Judge) =>
  blockable.filter(blocked => blocks.includes(blocked) && held > judge.allowed(blockLimits[blocked]))

function findLocks(one: Judged, judge: Judge, blocked: Blocked): Found[] {
  return one.statement.locks.flatMap(lock => {
    const { table, held } = lock
    const beyond = exceededBy(lock, judge)
    if (beyond[0] !== blocked || judge.isSmall(table)) return []
    const shown = beyond.map(each => renderMeasured(blockLimits[each], judge.allowed(blockLimits[each])))
    const preposition = beyond.join() === 'writes' ? 'to' : 'of'
    return [
      {
        measured: held,
        table,
        shown: [...new Set(shown)].join(' and '),
        sentence: `${beyond.join(' and ')} ${preposition} ${table} blocked for ${renderMeasured(blockLimits[blocked], held)}`,
        advice: judge.advise(one, table, held),
      },
    ]
  })
}

/** A lock that blocks all writes makes row locks redundant. */
function findRows(one: Judged, judge: Judge, allowed: number): Found[] {
  const { locks, rows } = one.statement
  return rows.flatMap(({ table, updated, deleted, held }) => {
    const count = updated + deleted
    const isBlocked = locks.some(lock => lock.table === table && lock.blocks.includes('writes'))
    if (isBlocked || held <= allowed || count < manyRows) return []
    if (judge.isSmall(table) || !judge.isKnown(table)) return []
    return [
      {
        measured: held,
        table,
        advice: judge.advise(one, table, held),
        sentence: `writes to ${renderCount(count)} rows of ${table} blocked for ${renderMeasured('max_write_block', held)}`,
      },
    ]
  })
}

/** Violations of a statement are reported in this order, before those of the migration. */
const statementChecks = {
  max_read_block: {
    ignored: 'lock',
    find: (one, judge) => findLocks(one, judge, 'reads'),
  },
  max_write_block: {
    ignored: 'lock',
    find: (one, judge, allowed) => [...findLocks(one, judge, 'writes'), ...findRows(one, judge, allowed)],
  },
  max_rewrite: {
    ignored: 'rewrite',
    find: (one, judge, allowed) =>
      one.statement.rewrites
        .filter(({ table, bytes }) => bytes > allowed && !judge.isSmall(table))
        .map(({ table, bytes }) => ({
          measured: bytes,
          table,
          advice: judge.advise(one, table, 0),
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
    findReason: all => all.toSorted((one, other) => other.statement.wal - one.statement.wal)[0]?.ignores.wal,
    find: ({ wal }) => ({
      measured: wal,
      sentence: `${renderMeasured('max_wal', wal)} written to the log of the server`,
      advice: 'change rows in batches with pauses, so that replicas and backups keep up',
    }),
  },
}

function describe(limit: Limit, found: Found, allowed: number, ignored: string | undefined): Violation {
  const { measured, sentence, shown = renderMeasured(limit, allowed), table, advice } = found
  return {
    limit,
    measured,
    allowed,
    ...(table !== undefined && { table }),
    message: `${sentence} (limit ${shown})`,
    advice,
    ...(ignored !== undefined && { ignored }),
  }
}

/** The facts by which checks judge a statement. */
function createJudge({ catalog, limits, version }: Judgement) {
  const extents = measureTables(catalog)
  const tables = new Map(
    [...catalog.relations.values()]
      .filter(one => tableOf(catalog, one.id) === one)
      .map(one => [one.name, one]),
  )
  return {
    allowed: (limit: Limit) => allowedBy(limits, limit),
    isSmall(name: string): boolean {
      const table = tables.get(name)
      return table !== undefined && (extents.get(table.id)?.bytes ?? 0) < (limits.minTableSize ?? 0)
    },
    /** Whether a table existed before the migration. */
    isKnown: (name: string) => tables.has(name),
    advise({ sql, statement }: Judged, name: string, held: number): string {
      const table = tables.get(name)
      return adviceFor({
        sql,
        version,
        isHypertable: table?.isHypertable === true,
        isPartitioned: table?.kind === 'p',
        isHeldLong: held > 2 * statement.duration + noticeable,
      })
    },
  }
}

type Judge = ReturnType<typeof createJudge>

/** All violations in the order of the statements. Violations of the whole migration come last. */
export function findViolations(given: Judgement, all: readonly Judged[]): Violation[] {
  const judge = createJudge(given)
  const ofStatement = (one: Judged, statement: number): Violation[] =>
    keysOf(statementChecks).flatMap(limit => {
      const { find, ignored }: StatementCheck = statementChecks[limit]
      const allowed = judge.allowed(limit)
      const { place } = one.statement
      return find(one, judge, allowed).map(found => ({
        ...describe(limit, found, allowed, one.ignores[ignored]),
        statement,
        ...(place && { place }),
      }))
    })
  const ofMigration = keysOf(migrationChecks).flatMap(limit => {
    const { find, findReason } = migrationChecks[limit]
    const [found, allowed] = [find(given), judge.allowed(limit)]
    return found.measured > allowed ? [describe(limit, found, allowed, findReason?.(all))] : []
  })
  return [...all.flatMap(ofStatement), ...ofMigration]
}
