import { renderBytes, renderCount } from '../../../base/bytes.ts'
import { renderDuration, renderSeconds } from '../../../base/duration.ts'
import { type Catalog, measureTables, type Relation, tableOf } from '../measure/catalog.ts'
import { type Blocked, blockable } from '../result/lock-modes.ts'
import type { Limit } from '../result/rehearsal.ts'
import type { ChangedRows, HeldLock, MeasuredStatement, StatementPlace, Violation } from '../result/stored.ts'
import { adviceFor } from './advice.ts'
import type { Ignores } from './places.ts'

/** What a migration may do at most. Milliseconds and bytes. */
export interface Limits {
  maxWriteBlock: number
  maxReadBlock: number
  maxDuration?: number | undefined
  maxRewrite?: number | undefined
  maxWal?: number | undefined
  /** Tables that are smaller may be blocked and rewritten for any time. */
  minTableSize?: number | undefined
}

/** A statement with what only those who judge it need. */
export interface Judged {
  statement: MeasuredStatement
  sql: string
  ignores: Ignores
  place?: StatementPlace
}

export interface Judgement {
  limits: Limits
  catalog: Catalog
  /** The major version of the server. */
  version: number
  duration: number
  wal: number
}

/** Fewer changed rows than this are what applications change too, and wait for as well. */
const manyRows = 1000

const settings: Record<Blocked, { limit: Limit; allowed: (limits: Limits) => number }> = {
  reads: { limit: 'max_read_block', allowed: ({ maxReadBlock }) => maxReadBlock },
  writes: { limit: 'max_write_block', allowed: ({ maxWriteBlock }) => maxWriteBlock },
}

/** Time with the precision that tells it from its limit. */
const renderTime = (milliseconds: number) => {
  if (milliseconds < 9.5) return `${Number(milliseconds.toPrecision(2))} ms`
  return milliseconds < 9950 ? renderSeconds(milliseconds) : renderDuration(milliseconds)
}

/** Milliseconds that a transaction takes to end in any case. */
const noticeable = 50

/** Judges what was measured by the limits. */
export class Judge {
  readonly #given: Judgement
  readonly #tables: Map<string, Relation>
  readonly #small: Set<string>

  constructor(given: Judgement) {
    this.#given = given
    const { catalog, limits } = given
    const extents = measureTables(catalog)
    const isSmall = ({ id }: Relation) => (extents.get(id)?.bytes ?? 0) < (limits.minTableSize ?? 0)
    const tables = [...catalog.relations.values()].filter(one => tableOf(catalog, one.id) === one)
    this.#tables = new Map(tables.map(one => [one.name, one]))
    this.#small = new Set(tables.filter(isSmall).map(({ name }) => name))
  }

  /** All that is beyond a limit, in the order of the statements; what is about the whole comes last. */
  judge(all: readonly Judged[]): Violation[] {
    const { limits, duration, wal } = this.#given
    const ofStatements = all.flatMap((one, statement) =>
      this.#judgeOne(one).map(violation => ({
        ...violation,
        statement,
        ...(one.place && { place: one.place }),
      })),
    )
    const { maxDuration = Number.POSITIVE_INFINITY, maxWal = Number.POSITIVE_INFINITY } = limits
    const longest = all.toSorted((one, other) => other.statement.wal - one.statement.wal)[0]
    const ignored = longest?.ignores.wal
    return [
      ...ofStatements,
      ...(duration > maxDuration
        ? [
            {
              ...{ limit: 'max_duration' as const, measured: duration, allowed: maxDuration },
              message: `the migration took ${renderTime(duration)} (limit ${renderTime(maxDuration)})`,
              advice: 'move what changes many rows out of the migration, and do it in batches',
            },
          ]
        : []),
      ...(wal > maxWal
        ? [
            {
              ...{ limit: 'max_wal' as const, measured: wal, allowed: maxWal },
              message: `${renderBytes(wal)} written to the log of the server (limit ${renderBytes(maxWal)})`,
              advice: 'change rows in batches with pauses, so that replicas and backups keep up',
              ...(ignored !== undefined && { ignored }),
            },
          ]
        : []),
    ]
  }

  #judgeOne(one: Judged): Violation[] {
    const { statement } = one
    const locks = statement.locks.flatMap(lock => this.#judgeLock(one, lock))
    // Whoever cannot write at all need not be told that he cannot write to some rows.
    const rows = statement.rows.flatMap(changed =>
      statement.locks.some(({ table, blocks }) => table === changed.table && blocks.includes('writes'))
        ? []
        : this.#judgeRows(one, changed),
    )
    return [...locks, ...rows, ...this.#judgeRewrites(one)]
  }

  #judgeLock(judged: Judged, { table, blocks, held }: HeldLock): Violation[] {
    if (this.#small.has(table)) return []
    const { limits } = this.#given
    const beyond = blockable.filter(
      blocked => blocks.includes(blocked) && held > settings[blocked].allowed(limits),
    )
    const [first] = beyond
    if (first === undefined) return []
    const allowed = settings[first].allowed(limits)
    const what = `${beyond.join(' and ')} ${beyond.includes('writes') && beyond.length === 1 ? 'to' : 'of'} ${table}`
    const both = beyond.map(blocked => renderTime(settings[blocked].allowed(limits)))
    const { ignored } = { ignored: judged.ignores.lock }
    return [
      {
        ...{ limit: settings[first].limit, measured: held, allowed, table },
        message: `${what} blocked for ${renderTime(held)} (limit ${[...new Set(both)].join(' and ')})`,
        advice: this.#advise(judged, table, held),
        ...(ignored !== undefined && { ignored }),
      },
    ]
  }

  #judgeRows(judged: Judged, { table, updated, deleted, held }: ChangedRows): Violation[] {
    const allowed = this.#given.limits.maxWriteBlock
    const count = updated + deleted
    if (held <= allowed || count < manyRows || this.#small.has(table) || !this.#tables.has(table)) return []
    const ignored = judged.ignores.lock
    return [
      {
        ...{ limit: 'max_write_block', measured: held, allowed, table },
        message: `writes to ${renderCount(count)} rows of ${table} blocked for ${renderTime(held)} (limit ${renderTime(allowed)})`,
        advice: this.#advise(judged, table, held),
        ...(ignored !== undefined && { ignored }),
      },
    ]
  }

  #judgeRewrites(judged: Judged): Violation[] {
    const { maxRewrite = Number.POSITIVE_INFINITY } = this.#given.limits
    const ignored = judged.ignores.rewrite
    return judged.statement.rewrites
      .filter(({ table, bytes }) => bytes > maxRewrite && !this.#small.has(table))
      .map(({ table, bytes }) => ({
        ...{ limit: 'max_rewrite', measured: bytes, allowed: maxRewrite, table },
        message: `${table} rewritten, ${renderBytes(bytes)} (limit ${renderBytes(maxRewrite)})`,
        advice: this.#advise(judged, table, 0),
        ...(ignored !== undefined && { ignored }),
      }))
  }

  #advise({ sql, statement }: Judged, table: string, held: number): string {
    const relation = this.#tables.get(table)
    return adviceFor({
      sql,
      version: this.#given.version,
      isHypertable: relation?.isHypertable === true,
      isPartitioned: relation?.kind === 'p',
      isHeldLong: held > 2 * statement.duration + noticeable,
    })
  }
}
