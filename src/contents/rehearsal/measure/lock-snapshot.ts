/** Reads the locks of a migration's session from a second session. */
import { queryRow, queryRows, type Session } from '#postgres/session'
import { type LockMode, parseLockMode } from '../result/lock-modes.ts'

export interface Held {
  relation: number
  mode: LockMode
}

export interface LockSnapshot {
  /** The end of the WAL, in bytes. */
  wal: number
  locks: Held[]
}

/** The end of the WAL: a number that only grows. 0 on a standby, which writes no WAL. */
export const walPosition =
  "case when pg_catalog.pg_is_in_recovery() then 0 else pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_insert_lsn(), '0/0') end"

export const readWal = async (session: Session): Promise<number> =>
  (await queryRow<{ wal: number }>(session, `select (${walPosition})::float8 as wal`)).wal

/**
 * Reads a lock snapshot. Takes no lock that others notice, and waits for none. No other session waits for a lock on a relation
 * with an id above `newest`, the highest id before the migration.
 */
export async function readLocks(session: Session, backend: number, newest: number): Promise<LockSnapshot> {
  const rows = await queryRows<{ wal: number; relation: number | null; mode: string | null }>(
    session,
    `select (${walPosition})::float8 as wal, l.relation, l.mode
     from (select) server left join pg_locks l on l.pid = ${backend} and l.locktype = 'relation' and l.granted
       and l.mode <> 'AccessShareLock' and l.relation between 16384::oid and ${newest}::oid`,
  )
  const locks = rows.flatMap(({ relation, mode: text }) => {
    const mode = parseLockMode(text ?? '')
    return relation === null || mode === undefined ? [] : [{ relation, mode }]
  })
  return { wal: rows[0]?.wal ?? 0, locks }
}

/** A relation after a transaction that locked it exclusively. */
export interface FileNow {
  id: number
  /** Null if it has no file, or was dropped. */
  file: number | null
  /** Bytes of its rows, and with TOAST. */
  ownBytes: number
  bytes: number
}

export async function readFilesOf(session: Session, ids: Iterable<number>): Promise<FileNow[]> {
  return await queryRows<FileNow>(
    session,
    `select c.oid as id, pg_relation_filenode(c.oid) as file, coalesce(pg_relation_size(c.oid), 0)::float8 as "ownBytes",
       coalesce(pg_table_size(c.oid), 0)::float8 as bytes
     from pg_class c where c.oid in (${[...ids].join(', ')})`,
  )
}
