/** Counts the rows that each table lost, from fingerprints and the counters of the server. */
import { isSessionControl } from '#contents/sql/split-statements'
import { isCompressed, isTable, type Relation, type Tables, tableOf } from './catalog.ts'
import { type Fingerprints, isUnchanged, sum } from './fingerprints.ts'
import type { Recorder } from './recorder.ts'

/** The change of a table with its parts, in rows. */
export interface Change {
  updated: number
  /** The most earlier rows that can be lost; undefined if unknown. Rows of dropped parts do not count. */
  lost: number | undefined
  /** The fingerprint shows the same values as before. */
  isSame: boolean
  /** The table or a part of it has a new file. */
  hasNewFile: boolean
  /** No counter of the server changed. */
  isUntouched: boolean
}

/** A table, partition or chunk that exists after the migration. */
interface Part {
  table: Relation
  was: Relation | undefined
  now: Relation
  isCompressed: boolean
}

/** The parts of tables that existed before. */
function* findParts(before: Tables, after: Tables): Generator<Part> {
  for (const now of after.relations.values()) {
    const was = before.relations.get(now.id)
    const table = tableOf(was === undefined ? after : before, now.id)
    const known = table && before.relations.get(table.id)
    if (known && isTable(now)) yield { table: known, was, now, isCompressed: isCompressed(after, now) }
  }
}

/** The growth of the server's counters. All but `modified` include changes that were rolled back. */
function findGrowth(parts: Part[], isHypertable: boolean) {
  const uncompressed = parts.filter(part => !part.isCompressed)
  const countGrowth = (some: Part[], name: 'inserted' | 'updated' | 'deleted' | 'modified') =>
    sum(some.map(({ was, now }) => Math.max(0, now[name] - (was?.[name] ?? 0))))
  const hasNewFile = uncompressed.some(({ was, now }) => was !== undefined && was.file !== now.file)
  const isCounted = uncompressed.every(({ was, now }) => (was?.resets ?? 0) === now.resets)
  // A crash resets the counters, and a disk snapshot looks like a crash. A live count of 0 hides the next deletions.
  const isLiveCounted = uncompressed.every(one => (one.was?.live ?? 0) >= countGrowth([one], 'deleted'))
  const net = sum(uncompressed.map(({ was, now }) => now.live - (was?.live ?? 0)))
  return {
    inserted: countGrowth(uncompressed, 'inserted'),
    updated: countGrowth(uncompressed, 'updated'),
    deleted: countGrowth(uncompressed, 'deleted'),
    /** Committed changes. */
    modified: isCounted ? countGrowth(uncompressed, 'modified') : Number.POSITIVE_INFINITY,
    /** The difference in rows; undefined if the counters do not show it. */
    net: isCounted && isLiveCounted && !hasNewFile && !isHypertable ? net : undefined,
    hasNewFile,
    /** TRUNCATE may have deleted rows, which no counter counts. */
    isRefilled: hasNewFile && !isHypertable,
    /** Deleted compressed rows. Each holds many rows. */
    batches: countGrowth(parts, 'deleted') - countGrowth(uncompressed, 'deleted'),
  }
}

type Growth = ReturnType<typeof findGrowth>

/** The difference in rows, without dropped, detached and attached parts. */
function compareRows(id: number, { before, after, fingerprints }: ComparedRows): number | undefined {
  const [was, now] = [fingerprints.before.get(id), fingerprints.after.get(id)]
  if (was === undefined || now === undefined) return undefined
  const isOf = (catalog: Tables, part: number) => tableOf(catalog, part)?.id === id
  const isOwn = (part: number) => !before.relations.has(part) || isOf(before, part)
  const rowsNow = [...now.rows].map(([part, count]) => (isOwn(part) ? count : 0))
  return sum(rowsNow) - sum([...was.rows].map(([part, count]) => (isOf(after, part) ? count : 0)))
}

/** The most rows that can be lost if the table has `net` more rows. Committed inserts are `net` plus the lost rows. */
function countLost(growth: Growth, net: number | undefined): number | undefined {
  const { inserted, deleted, modified, isRefilled } = growth
  if (net === undefined) {
    const isUnknown = isRefilled && Math.min(inserted, modified) > 0
    return isUnknown ? undefined : Math.min(deleted, modified)
  }
  const most = isRefilled
    ? Math.min(inserted, modified) - net
    : Math.min(deleted, inserted - net, Math.floor((modified - net) / 2))
  return Math.max(0, -net, most)
}

/** The rows that UPDATE moved to another partition. The server counts them as deleted and inserted. */
function countMoved({ kind, name }: Relation, { updated }: Growth, { statements }: Recorder): number {
  if (kind !== 'p') return 0
  const updates = statements.filter(({ sql, failure }) => !failure && /^\s*update\b/i.test(sql))
  const rows = updates.flatMap(one => one.rows).filter(({ table }) => table === name)
  return Math.max(0, sum(rows.map(one => one.updated)) - updated)
}

/** Statements that delete compressed rows only to write them elsewhere. */
const rewritePattern = /^\s*(?:insert|update|copy|alter|create)\b|compress_chunk|columnstore/i

const haveOnlyRewritten = ({ statements }: Recorder) =>
  statements.every(({ sql }) => isSessionControl(sql) || rewritePattern.test(sql))

interface ComparedRows {
  before: Tables
  after: Tables
  fingerprints: Record<'before' | 'after', Fingerprints>
}

/** The changes of the tables that existed before, by id. */
export function findChanges(compared: ComparedRows, recorder: Recorder): Map<number, Change> {
  const { before, after, fingerprints } = compared
  const changes = new Map<number, Change>()
  for (const [table, parts] of Map.groupBy(findParts(before, after), one => one.table)) {
    const { id } = table
    const growth = findGrowth(parts, after.relations.get(id)?.isHypertable === true)
    const { inserted, updated, deleted, hasNewFile } = growth
    const isSame = isUnchanged(id, fingerprints)
    const net = compareRows(id, compared) ?? growth.net
    const counted = isSame ? 0 : countLost(growth, net)
    const lost = counted && Math.max(0, counted - countMoved(table, growth, recorder))
    const isUnknown =
      growth.batches > 0 && !isSame && (net === undefined || !lost) && !haveOnlyRewritten(recorder)
    changes.set(id, {
      updated,
      isSame,
      hasNewFile,
      isUntouched: inserted + updated + deleted === 0,
      lost: isUnknown ? undefined : lost,
    })
  }
  return changes
}

/** Adds uncounted changes, such as those of triggers, to the statement that locked the rows longest. */
export function addUncounted(before: Tables, changes: Map<number, Change>, recorder: Recorder): void {
  const { statements, writes } = recorder
  for (const [id, { updated, lost = 0 }] of changes) {
    const name = before.relations.get(id)?.name
    const counted = statements.flatMap(({ rows }) => rows).filter(({ table }) => table === name)
    const uncounted = (verb: 'updated' | 'deleted', all: number) =>
      Math.max(0, all - sum(counted.map(one => one[verb])))
    const rest = { updated: uncounted('updated', updated), deleted: uncounted('deleted', lost) }
    const [longest] = writes
      .filter(({ table }) => table === id)
      .sort((first, second) => second.held - first.held)
    if (name === undefined || longest === undefined || rest.updated + rest.deleted === 0) continue
    longest.statement.rows.push({ table: name, ...rest, held: longest.held })
  }
}
