import { queryRows, type Session } from '#postgres/session'
import { catalogQueries } from './catalog-queries.ts'
import { quoteName, workSchema } from './expressions.ts'

/** The kinds of types that rules distinguish. `texts` and `ips` are arrays. */
export type Family = Element | 'texts' | 'ips' | 'other'

/** The types of single values. */
export type Element =
  | 'text'
  | 'json'
  | 'bytes'
  | 'ip'
  | 'number'
  | 'date'
  | 'point'
  | 'geometry'
  | 'geography'

export interface Column {
  name: string
  /** As SQL names it, with its length: character varying(20). */
  type: string
  family: Family
  /** Numbers, flags, times, and what consists of these alone cannot. */
  holdsText: boolean
  /** The most characters that fit; null where nothing limits them. */
  length: number | null
  notNull: boolean
  isGenerated: boolean
  /** The database gives it a value, and takes no other one. */
  isAlwaysIdentity: boolean
  /** Compared without regard to letter case, as citext is. */
  ignoresCase: boolean
  /** Decides in which partition or chunk a row is. */
  decidesPart: boolean
  /** About how many values are distinct, and how many bytes they have: from the statistics, null where there are none. */
  distinct: number | null
  width: number | null
}

export type TableKind =
  | 'table'
  | 'materialized view'
  | 'continuous aggregate'
  | 'foreign table'
  | 'large objects'

export interface Table {
  /** The id in the catalog of the database. */
  id: string
  schema: string
  name: string
  kind: TableKind
  /** About how many. */
  rows: number
  owner: string
  /** Whether this role has the owner's rights. */
  isOurs: boolean
  /** An extension, or TimescaleDB itself: what it keeps is not the users' to mask, but it is searched. */
  keeper: string | null
  isHypertable: boolean
  isCompressed: boolean
  /** Has no parts below it, but maybe tables that inherit from it. */
  isPlain: boolean
  /** It has a rule that does something else in place of an update. */
  hasRewriteRule: boolean
  /** The table that it inherits from, which is no partitioned one. */
  parent: string | null
  /** TimelineRecorder whose rows are elsewhere: tiered chunks, foreign partitions. */
  elsewhere: string[]
  /** The other parts, as SQL names them: only these are read where there are rows elsewhere. */
  parts: string[]
  columns: Column[]
}

/** No two rows have the same values in these columns, or values that exclude each other. */
export interface Unique {
  table: string
  name: string
  columns: string[]
  nullsEqual: boolean
  /** An exclusion constraint compares by operators of its own. */
  isExclusion: boolean
  /** Statements that drop it and create it again; null for a part of that of the table at the top. */
  lift: string | null
  restore: string | null
}

export interface ForeignKey {
  name: string
  /** The table as SQL names it, and its id. */
  relation: string
  table: string
  columns: string[]
  /** The id of the table that it leads to. */
  target: string
  targetColumns: string[]
  definition: string
}

/** A trigger that is disabled while rows change, or a policy that binds the owner too and hides rows from all that is done. */
export interface Obstacle {
  table: string
  lift: string
  restore: string
}

/** A CHECK constraint that old rows may violate. PostgreSQL checks it whenever a row changes. */
interface NotValid extends Obstacle {
  name: string
}

/** A copy that the database computes anew when it is asked to. */
export interface Derived {
  /** As SQL names it. */
  name: string
  /** The table that it is kept in. */
  stored: string
  isAggregate: boolean
}

/** What is in a database, as far as masking must know it. */
export interface Catalog {
  /** As server_version_num. */
  version: number
  database: string
  user: string
  /** The schema of TimescaleDB's functions, as SQL names it; null where the whole of it is not installed. */
  timescaledb: string | null
  /** The schema of pg_stat_statements, as SQL names it; null where it is not at work. */
  statements: string | null
  tables: Table[]
  uniques: Unique[]
  foreignKeys: ForeignKey[]
  obstacles: Obstacle[]
  policies: Obstacle[]
  notValid: NotValid[]
  /** Materialized views and continuous aggregates: those that others are computed from come first. */
  derived: Derived[]
}

/** What a table is called in messages and files. */
export const tableName = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string => {
  const plain = (part: string) => (/[".]/.test(part) ? `"${part.replaceAll('"', '""')}"` : part)
  return `${plain(schema)}.${plain(name)}`
}

/**
 * The table in a FROM: without those that inherit from it, which stand for themselves, but with its parts, and without
 * what is elsewhere.
 */
export function rowsOf({ schema, name, isPlain, elsewhere, parts, columns }: Table): string {
  const table = `${quoteName(schema)}.${quoteName(name)}`
  if (elsewhere.length === 0) return isPlain ? `only ${table}` : table
  const named = columns.map(column => quoteName(column.name)).join()
  const none = `select ${named} from only ${table} where false`
  return `(${[none, ...parts.map(part => `select ${named} from ${part}`)].join(' union all ')})`
}

/** Reads what is in the database. Changes nothing. */
export async function readCatalog(session: Session): Promise<Catalog> {
  const [facts] = await queryRows<
    Pick<Catalog, 'version' | 'database' | 'user' | 'timescaledb' | 'statements'>
  >(
    session,
    `select current_setting('server_version_num')::int as version, current_database()::text as database,
       current_user::text as user,
       case when to_regclass('_timescaledb_catalog.continuous_agg') is not null then
         (select quote_ident(nspname) from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
           where extname = 'timescaledb') end as timescaledb,
       case when current_setting('pg_stat_statements.max', true) is not null then
         (select quote_ident(nspname) from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
           where extname = 'pg_stat_statements') end as statements`,
  )
  if (facts === undefined) throw new Error('the database says nothing of itself')
  const queries = catalogQueries({ ...facts, workSchema })
  const tables = await queryRows<Table>(session, queries.tables)
  const columns = await queryRows<Column & { table: string }>(session, queries.columns)
  const byTable = Map.groupBy(columns, ({ table }) => table)
  return {
    ...facts,
    tables: tables.map(table => ({ ...table, columns: byTable.get(table.id) ?? [] })),
    uniques: await queryRows<Unique>(session, queries.uniques),
    foreignKeys: await queryRows<ForeignKey>(session, queries.foreignKeys),
    obstacles: await queryRows<Obstacle>(session, queries.obstacles),
    policies: await queryRows<Obstacle>(session, queries.policies),
    notValid: await queryRows<NotValid>(session, queries.notValid),
    derived: await queryRows<Derived>(session, queries.derived),
  }
}
