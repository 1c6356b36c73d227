/** Repairs statistics that ANALYZE does not replace. Before PostgreSQL 18 no command clears them. */
import { queryRows, type Session, StatementError } from '#postgres/session'
import { triggerSwitches } from '../plan/catalog-queries.ts'
import { workSchema } from '../plan/expressions.ts'
import type { Plan } from '../plan/plan.ts'
import { blankRowOf } from './blank-rows.ts'
import { fillShapes, isShape } from './shape-statistics.ts'

/** A query for statements (`act`), each with the statement that reverts it (`undo`; null if none is needed). */
type Remedy = (plan: Pick<Plan, 'timescaledb' | 'derived'>) => string

const stale = `${workSchema}.stale`

/** Runs the statements, ignores those that the server refuses, and returns the statements that revert the others. */
export async function runSteps(session: Session, steps: string): Promise<string[]> {
  const undo: string[] = []
  for (const step of await queryRows<{ act: string; undo: string | null }>(session, steps)) {
    const answer = await session.attempt(step.act)
    if (!(answer instanceof StatementError) && step.undo !== null) undo.unshift(step.undo)
  }
  return undo
}

/** ANALYZE skips columns with SET STATISTICS 0. */
export const liftTargets = `
  select command || ' -1' as act, command || ' 0' as undo from ${stale} join pg_class on oid = relation
    join pg_attribute on attrelid = relation and pg_attribute.attname = stale.attname,
    lateral (select case relkind when 'i' then format('alter index %s alter column %s set statistics', relation::regclass, attnum)
      else format('alter table only %s alter column %I set statistics', relation::regclass, pg_attribute.attname) end) as made(command)
  where attstattarget = 0`

/** A probe is a new statistics object. It gets data only if ANALYZE reads rows of the table or of its descendants. */
export const setProbes = `
  select distinct format('create statistics if not exists ${workSchema}.%I on (1) from %s', 'probe_' || relation, relation::regclass)
    as act, null as undo
  from ${stale} where inherited`

/** In a large table with few rows, the sampled pages may all be empty. */
const compact: Remedy = () => `
  select distinct format('vacuum (full) %s', oid::regclass) as act, null as undo
  from ${stale} join pg_class on oid = relation where not inherited and relkind in ('r', 'm') and reltuples <= 0`

/** The type of a column, with every property that a change of the type resets. */
const sameType = `format('alter column %1$I type %2$s %3$s, alter column %1$I set storage %4$s', pg_attribute.attname,
    format_type(atttypid, atttypmod), case when attcollation <> 0 then 'collate ' || attcollation::regcollation end,
    case attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end)
  || case attcompression when 'p' then format(', alter column %I set compression pglz', pg_attribute.attname)
    when 'l' then format(', alter column %I set compression lz4', pg_attribute.attname) else '' end`

/** The targets of extended statistics, which a change of a type resets. */
const targets = `(select string_agg(format('alter statistics %I.%I set statistics %s', nspname, stxname, stxstattarget), '; ')
  from pg_statistic_ext join ${workSchema}.renewed as other on other.relation = stxrelid
    join pg_namespace on pg_namespace.oid = stxnamespace
  where other.root = renewed.root and stxstattarget >= 0)`

const retypeIf = (condition: string) => `
  select distinct format('alter table %s ', case attinhcount when 0 then relation else root end::regclass) || ${sameType} as act,
    ${targets} as undo
  from ${stale} join ${workSchema}.renewed using (relation) join pg_class on oid = relation
    join pg_attribute on attrelid = relation and pg_attribute.attname = stale.attname where relkind in ('r', 'p', 'f') and ${condition}`

/** Changing a column to its own type rewrites no rows, but deletes its statistics in the table and its descendants. */
const retype: Remedy = () => retypeIf('true')

/** Deletes the statistics of PostGIS columns that ANALYZE might keep. */
export const retypeShapes = retypeIf(isShape)

/** ANALYZE keeps the statistics of an empty partial index. */
const recreateIndexes: Remedy = () => `
  select distinct format('drop index %s; %s', oid::regclass, pg_get_indexdef(oid)) as act, null as undo
  from ${stale} join pg_class on oid = relation where relkind = 'i' and not relispartition`

const blankChild = `format('${workSchema}.%I', 'blank_' || oid)`

/** Gives an empty table a descendant with a row: a new partition, or a new table that inherits from it. */
const insertBelow: Remedy = () => `
  select distinct format('create table %1$s %2$s; alter table %1$s disable trigger user; insert into %1$s %3$s', ${blankChild},
      format(case relkind when 'p' then 'partition of %s default' else '() inherits (%s)' end, oid::regclass), ${blankRowOf('pg_class.oid')})
      as act, 'drop table ' || ${blankChild} as undo
  from ${stale} join pg_class on oid = relation where inherited`

const hypertableIds = `select to_regclass(format('%I.%I', schema_name, table_name))::oid from _timescaledb_catalog.hypertable`

/** A statement that fails if the table has rows. */
const onlyIfEmpty = (table: string) => `format('select 1 / (not exists (select from %s))::int', ${table})`

/** The start of a chunk, in a format that every time type accepts, or its first number. */
const startOfChunk = `coalesce(range_start_integer::text, range_start at time zone 'UTC' || '+00')`

/** Adds a row at the start of a chunk. ANALYZE does not read the rows of a compressed chunk, which are in another table. */
const insertInChunks: Remedy = ({ timescaledb }) =>
  timescaledb === null
    ? 'select where false'
    : `select distinct format('with blank as (insert into %1$s %2$s returning ctid)
             insert into ${workSchema}.blank select %3$s, ctid from blank', relation::regclass,
           ${blankRowOf('relation', { column: 'primary_dimension', value: startOfChunk })}, relation) as act,
         format('delete from only %s where ctid = (select place from ${workSchema}.blank where relation = %s)', relation::regclass,
           relation) as undo
       from ${stale} join pg_class on pg_class.oid = relation join pg_namespace on pg_namespace.oid = relnamespace
         join timescaledb_information.chunks on chunk_schema = nspname and chunk_name = relname`

/** Statements that disable and restore the triggers and constraints that could refuse a blank row or react to it. */
const guards = `
  select ${triggerSwitches}
  from pg_trigger join pg_proc on pg_proc.oid = tgfoid join pg_namespace on pg_namespace.oid = pronamespace
  where tgrelid = class.oid and not tgisinternal and tgenabled <> 'D' and tgparentid = 0 and nspname !~ '^_timescaledb_'
  union all
  select format('alter table %s drop constraint %I', conrelid::regclass, conname),
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
  from pg_constraint where conrelid = class.oid and contype in ('c', 'f') and coninhcount = 0`

/** Adds a row to an empty table. A partition is detached first, because its bounds could refuse the row. */
const insertBlank: Remedy = ({ timescaledb }) => `
  select concat_ws('; ', ${onlyIfEmpty('named')}, detach, lifts, format('insert into %s %s', class.oid::regclass, ${blankRowOf('class.oid')})) as act,
    concat_ws('; ', case when is_hypertable then 'truncate ' else 'delete from ' end || named, restores, attach) as undo
  from (select distinct relation from ${stale}) as old join pg_class as class on class.oid = relation
    cross join lateral (select ${timescaledb === null ? 'false' : `class.oid in (${hypertableIds})`}) as kind(is_hypertable)
    cross join lateral (select case when is_hypertable then '' else 'only ' end || class.oid::regclass) as own(named)
    cross join lateral (select string_agg(lift, '; '), string_agg(restore, '; ') from (${guards}) as guard(lift, restore)) as found(lifts, restores)
    left join lateral (select format('alter table %s detach partition %s', inhparent::regclass, class.oid::regclass),
        format('alter table %s attach partition %s %s', inhparent::regclass, class.oid::regclass, pg_get_expr(relpartbound, class.oid))
      from pg_inherits where inhrelid = class.oid and relispartition) as bound(detach, attach) on true
  where relkind = 'r'`

/** The attempts in order. Later ones change more. */
export const remedies: readonly Remedy[] = [
  fillShapes,
  compact,
  retype,
  recreateIndexes,
  insertInChunks,
  insertBelow,
  insertBlank,
]
