import { isStronger, type LockMode, parseLockMode } from '../result/lock-modes.ts'

/** What a session found out about its own transaction: rows of texts, as the server sends them. */
export type CensusRows = readonly (readonly (string | null)[])[]

/** A relation that the transaction has locked, and what it did to it so far. */
export interface Touched {
  relation: number
  mode: LockMode
  /** Undefined where it cannot be a new one, where it has none, and where it is gone. */
  file: number | undefined
  /** Of its files, where it is locked so that they may be new: those of its own rows, and with long values. */
  ownBytes: number
  bytes: number
  /** Rows of a table, or of what holds its long values. */
  inserted: number
  updated: number
  deleted: number
}

export interface Census {
  /** How far the server's log has been written, in bytes. */
  wal: number
  touched: Touched[]
}

/** How far the log is written: a number that only grows. Nothing on a server that writes none of its own. */
export const walPosition =
  "case when pg_catalog.pg_is_in_recovery() then 0 else pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_insert_lsn(), '0/0') end"

/** Only who has such a lock can have given the relation another file. */
const ifStrongest = (what: string) => `case when mode = 'AccessExclusiveLock' then ${what} end`

/**
 * Asks, in a transaction, for its own locks: a row for each, or one where there are none. It waits for no lock: what it
 * opens, this very transaction has locked already. All names are whole, since the migration may have set any search path.
 * It runs behind every statement, so it reads no table: what it says is put together and given names afterwards.
 */
export const censusQuery = `
  select written::text, relation::text, mode,
    pg_catalog.pg_stat_get_xact_tuples_inserted(relation)::text as inserted,
    pg_catalog.pg_stat_get_xact_tuples_updated(relation)::text as updated,
    pg_catalog.pg_stat_get_xact_tuples_deleted(relation)::text as deleted,
    ${ifStrongest('pg_catalog.pg_relation_filenode(relation)')}::text as file,
    ${ifStrongest('pg_catalog.pg_relation_size(relation)')}::text as own,
    ${ifStrongest('pg_catalog.pg_table_size(relation)')}::text as whole
  from (select ${walPosition} as written) server
    left join pg_catalog.pg_locks on pid = pg_catalog.pg_backend_pid() and locktype = 'relation' and granted
      and mode <> 'AccessShareLock' and relation >= 16384::pg_catalog.oid`.replace(/\s+/g, ' ')

/** A lock, as a row tells it. Undefined for one that nobody waits for. */
function parseRow([, relation, text, ...numbers]: CensusRows[number]): Touched | undefined {
  const mode = parseLockMode(text ?? '')
  if (mode === undefined) return undefined
  const [inserted = 0, updated = 0, deleted = 0, file = 0, ownBytes = 0, bytes = 0] = numbers.map(Number)
  return {
    ...{ relation: Number(relation), mode, inserted, updated, deleted, ownBytes, bytes },
    file: file === 0 ? undefined : file,
  }
}

/** Reads the answer of `censusQuery`: of each relation its strongest lock. Undefined where it has another shape. */
export function parseCensus(rows: CensusRows): Census | undefined {
  const wal = Number(rows[0]?.[0] ?? Number.NaN)
  if (!Number.isFinite(wal)) return undefined
  const touched = new Map<number, Touched>()
  for (const row of rows) {
    const one = parseRow(row)
    const before = one && touched.get(one.relation)
    if (one && (before === undefined || isStronger(one.mode, before.mode))) touched.set(one.relation, one)
  }
  return { wal, touched: [...touched.values()] }
}
