import { isStronger, type LockMode, parseLockMode } from './lock-modes.ts'

/** What a session found out about its own transaction: rows of texts, as the server sends them. */
export type CensusRows = readonly (readonly (string | null)[])[]

/** A relation that the transaction has locked, and what it did to it so far. */
export interface Touched {
  relation: number
  mode: LockMode
  /** Undefined where it has none, or is gone. */
  file: number | undefined
  /** Of its new files, where it is locked so that they may be new: its own rows, and with long values. */
  ownBytes: number
  bytes: number
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
  "case when pg_is_in_recovery() then 0 else pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_insert_lsn(), '0/0') end"

/**
 * Asks, in a transaction, for its own locks. It waits for no lock: what it opens, this very transaction has locked
 * already. All names are whole, since the migration may have set any search path. Counters of rows and files are asked for
 * only where there can be any.
 */
export const censusQuery = `
  select null::text as relation, (${walPosition})::text as modes, null::text as file, null::text as own, null::text as long,
    null::text as inserted, null::text as updated, null::text as deleted
  union all
  select l.relation::text, l.modes,
    case when c.relkind in ('r', 'i', 't', 'm', 'S') then pg_catalog.pg_relation_filenode(c.oid)::text end,
    case when l.is_strongest and c.relkind in ('r', 'i', 't', 'm') then pg_catalog.pg_relation_size(c.oid)::text end,
    case when l.is_strongest and c.relkind in ('r', 'm') and c.reltoastrelid <> 0
      then pg_catalog.pg_relation_size(c.reltoastrelid::pg_catalog.regclass)::text end,
    case when c.relkind = 'r' then pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid)::text end,
    case when c.relkind = 'r' then pg_catalog.pg_stat_get_xact_tuples_updated(c.oid)::text end,
    case when c.relkind = 'r' then pg_catalog.pg_stat_get_xact_tuples_deleted(c.oid)::text end
  from (
    select relation, pg_catalog.string_agg(mode, ',') as modes,
      pg_catalog.bool_or(mode = 'AccessExclusiveLock') as is_strongest
    from pg_catalog.pg_locks
    where pid = pg_catalog.pg_backend_pid() and locktype = 'relation' and granted and mode <> 'AccessShareLock'
      and relation >= 16384::pg_catalog.oid
      and database = (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database())
    group by relation) l
  left join pg_catalog.pg_class c on c.oid = l.relation`.replace(/\s+/g, ' ')

const strongestOf = (texts: string) =>
  texts
    .split(',')
    .flatMap(text => parseLockMode(text) ?? [])
    .reduce<LockMode | undefined>((one, other) => (one && isStronger(one, other) ? one : other), undefined)

/** Reads the answer of `censusQuery`. Undefined where it has another shape. */
export function parseCensus(rows: CensusRows): Census | undefined {
  const [first, ...others] = rows
  const wal = Number(first?.[1] ?? Number.NaN)
  if (first?.[0] !== null || !Number.isFinite(wal)) return undefined
  const touched = others.flatMap(([relation, modes, file, own, long, ...counts]): Touched[] => {
    const mode = strongestOf(modes ?? '')
    if (mode === undefined) return []
    const [inserted = 0, updated = 0, deleted = 0] = counts.map(Number)
    return [
      {
        ...{ relation: Number(relation), mode, inserted, updated, deleted },
        file: file ? Number(file) : undefined,
        ownBytes: Number(own ?? 0),
        bytes: Number(own ?? 0) + Number(long ?? 0),
      },
    ]
  })
  return { wal, touched }
}
