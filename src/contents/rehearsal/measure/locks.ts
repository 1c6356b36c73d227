/** Reads the locks of other sessions at one moment, and finds the strongest on each table. */
import { queryRow, type Session } from '#postgres/session'
import { firstUserId } from '#postgres/sql'
import { blockedBy, isStronger, type LockMode, parseLockMode } from '../result/lock-modes.ts'
import type { HeldLock } from '../result/stored.ts'
import { isIndex, type Relation, type Tables, tableOf } from './catalog.ts'

/** A lock of a session on a relation. */
export interface SessionLock {
  pid: number
  relation: number
  mode: LockMode
  /** The virtual transaction id of the session. */
  transaction: string
}

/** The end of the WAL: a number that only grows. 0 on a standby, which writes no WAL. */
export const walPosition =
  "case when pg_catalog.pg_is_in_recovery() then 0 else pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_insert_lsn(), '0/0') end"

/**
 * Reads a lock snapshot of all other sessions in this database, and the end of the WAL in bytes. Takes no lock that others notice,
 * and waits for none. Omits relations that the migration created, because no other session waits for them.
 * @param highestId the highest id of a relation before the migration
 */
export async function readLocks(session: Session, highestId: number) {
  const { wal, locks } = await queryRow<{
    wal: number
    locks: (Omit<SessionLock, 'mode'> & { mode: string })[]
  }>(
    session,
    `select (${walPosition})::float8 as wal, coalesce(json_agg(json_build_object(
         'pid', pid, 'relation', relation::int8, 'mode', mode, 'transaction', virtualtransaction)), '[]') as locks
     from pg_locks where locktype = 'relation' and granted and pid <> pg_backend_pid() and mode <> 'AccessShareLock'
       and relation between ${firstUserId}::oid and ${highestId}::oid
       and database = (select oid from pg_database where datname = current_database())`,
  )
  const shown = locks.flatMap(({ mode: text, ...lock }): SessionLock[] => {
    const mode = parseLockMode(text)
    return mode === undefined ? [] : [{ ...lock, mode }]
  })
  return { wal, locks: shown }
}

export type LockSnapshot = Awaited<ReturnType<typeof readLocks>>

interface StrongestLock {
  table: Relation
  mode: LockMode
  /** The ids of the relations with this lock: the table, its parts and indexes. */
  relations: Set<number>
}

/** Every query locks the indexes of its table (documentation of REINDEX). Only ACCESS EXCLUSIVE on one blocks it. */
const isRelevant = (relation: Relation, mode: LockMode) => !isIndex(relation) || mode === 'ACCESS EXCLUSIVE'

/** Only REFRESH writes to a materialized view. */
const blocksOf = ({ kind }: Relation, mode: LockMode) =>
  blockedBy(mode).filter(blocked => kind !== 'm' || blocked === 'reads')

/** Locks of ordinary queries are not shown. */
export const isShown = (mode: LockMode) => isStronger(mode, 'ROW EXCLUSIVE')

/** The strongest lock on each table that existed before the migration, from the locks on tables, parts and indexes. */
export function findStrongest(catalog: Tables, locks: SessionLock[]): StrongestLock[] {
  const strongest = new Map<number, StrongestLock>()
  for (const { relation: id, mode } of locks) {
    const relation = catalog.relations.get(id)
    const table = tableOf(catalog, id)
    if (relation === undefined || table === undefined || !isRelevant(relation, mode)) continue
    const before = strongest.get(table.id)
    if (before === undefined || isStronger(mode, before.mode))
      strongest.set(table.id, { table, mode, relations: new Set([id]) })
    else if (mode === before.mode) before.relations.add(id)
  }
  return [...strongest.values()]
}

/** The stored form of a lock, before its duration is known. */
export function describeLock(
  { relations: all }: Tables,
  { table, mode, relations }: StrongestLock,
): HeldLock {
  const locked = [...relations].flatMap(id => all.get(id) ?? [])
  const parts = locked.filter(one => one.isPart && !isIndex(one)).length
  return { table: table.name, mode, held: 0, blocks: blocksOf(table, mode), ...(parts > 0 && { parts }) }
}
