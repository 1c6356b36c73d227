/** The query that reads tables, partitions, chunks and indexes from the catalogs of PostgreSQL and TimescaleDB. */
import { firstUserId } from '#postgres/sql'

/** SQL for the name of a relation, without the schema if that is `public`. */
export const nameOf = (relation: string, schema: string) =>
  `case ${schema}.nspname when 'public' then format('%I', ${relation}.relname)
    else format('%I.%I', ${schema}.nspname, ${relation}.relname) end`

/** A condition for `pg_class c` and its `pg_namespace n` that excludes system tables and temporary tables. */
export const isOfUsers = `c.oid >= ${firstUserId} and n.nspname !~ '^(pg_catalog|information_schema|pg_temp_.*|pg_toast_temp_.*)$'`

/** Only tables with rows of their own have counters. */
const counters = [
  ['inserted', 'pg_stat_get_tuples_inserted(c.oid)'],
  ['updated', 'pg_stat_get_tuples_updated(c.oid)'],
  ['deleted', 'pg_stat_get_tuples_deleted(c.oid)'],
  ['modified', 'pg_stat_get_mod_since_analyze(c.oid)'],
  ['live', 'pg_stat_get_live_tuples(c.oid)'],
  [
    'resets',
    `pg_stat_get_vacuum_count(c.oid) + pg_stat_get_autovacuum_count(c.oid) + pg_stat_get_analyze_count(c.oid)
      + pg_stat_get_autoanalyze_count(c.oid)`,
  ],
]
  .map(([name, value]) => `case when c.relkind = 'r' then ${value} else 0 end::float8 as ${name}`)
  .join(', ')

/**
 * Objects of a table that lock the table when they are created, changed or dropped. `tables`: other tables whose statement may be
 * the cause. The rules of PostgreSQL's own views are large: reading them would take more time than all else.
 */
const dependents = `
  select tgrelid as relation, 'trigger ' || oid as key, tgname as name, tgenabled::text as state, '{}'::oid[] as tables
    from pg_trigger where not tgisinternal
  union all select conrelid, case contype when 'f' then 'reference ' else 'constraint ' end || oid, conname, convalidated::text, '{}'
    from pg_constraint where contype in ('c', 'f', 'p', 'u', 'x')
  union all select confrelid, 'referenced ' || oid, conname, convalidated::text, array[conrelid] from pg_constraint where contype = 'f'
  union all select indrelid, 'index ' || indexrelid, relname, indisvalid::text, '{}' from pg_index join pg_class on oid = indexrelid
  union all select polrelid, 'policy ' || oid, polname, md5(concat_ws(' ', polroles, polqual, polwithcheck)), '{}' from pg_policy
  union all select ev_class, 'rule ' || oid, rulename, concat(ev_enabled, md5(ev_action::text)), '{}' from pg_rewrite
    where ev_class >= ${firstUserId}
  union all select oid, 'options', relname, concat(reloptions), '{}' from pg_class where relkind in ('r', 'p', 'm')`

/** Hypertables, and chunks with their hypertable (`whole`). Older versions have a second, internal hypertable for compressed chunks. */
const hypertables = `
  with hypertable as (
    select h.id, h.compressed_hypertable_id as compressed, t.oid as relation from _timescaledb_catalog.hypertable h
      join pg_namespace s on s.nspname = h.schema_name
      join pg_class t on t.relnamespace = s.oid and t.relname = h.table_name)
  select relation as id, null::oid as whole from hypertable
  union all select i.inhrelid, coalesce(uncompressed.relation, h.relation)
    from hypertable h join pg_inherits i on i.inhparent = h.relation left join hypertable uncompressed on uncompressed.compressed = h.id`

/** Compressed chunks, in versions that store them as tables. Reads JSON because older versions lack the column. */
const compressedChunks = `
  select (to_jsonb(s) ->> 'compress_relid')::regclass::oid as id, s.relid::oid as whole
  from _timescaledb_catalog.compression_settings s where to_jsonb(s) ->> 'compress_relid' is not null`

/** In a database without TimescaleDB. */
const noParts = 'select null::oid as id, null::oid as whole where false'

/** The table of an index or of a TOAST table; the parent of a partition or chunk. */
const partOf =
  'coalesce(compressed.whole, hypertable.whole, i.indrelid, owner.oid, case when c.relispartition then h.inhparent end)'

/**
 * Prefers sizes from the statistics: reading the actual size opens the table. A partitioned table has no rows of its own: ANALYZE
 * stores the sum of its partitions there, and relpages is -1. Of TimescaleDB's internal tables, only chunks belong to users.
 * @param has the catalogs of TimescaleDB that the database has
 */
export const relationsQuery = (has: { hypertable: boolean; compression: boolean }) => `
  select c.oid as id, ${nameOf('c', 'n')} as name, format('%I.%I', n.nspname, c.relname) as "fullName", c.relkind::text as kind,
    ${partOf} as "partOf",
    c.relispartition or coalesce(compressed.whole, hypertable.whole) is not null as "isPart",
    hypertable.id is not null and hypertable.whole is null as "isHypertable",
    pg_relation_filenode(c.oid) as file,
    concat_ws(' ', c.relname, c.relnamespace, c.relowner, c.relrowsecurity, c.relforcerowsecurity,
      case when c.relkind = 'v' then c.reloptions end, columns.shape) as shape,
    coalesce(dependents.all, '{}') as dependents,
    case when c.relkind in ('r', 'm', 't') and c.relpages = 0 then pg_relation_size(c.oid)
      else greatest(c.relpages, 0)::int8 * current_setting('block_size')::int8 end::float8 as bytes,
    case when c.relkind = 'p' then null when c.reltuples >= 0 then c.reltuples
      else nullif(pg_stat_get_live_tuples(c.oid), 0) end::float8 as rows,
    ${counters}
  from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    left join (select a.attrelid, md5(string_agg(concat_ws(' ', a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.attidentity,
        a.attgenerated, a.attstorage, a.attisdropped, d.oid), ',' order by a.attnum)) as shape
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid >= ${firstUserId} and a.attnum > 0 group by a.attrelid) columns on c.relkind in ('r', 'p', 'v') and columns.attrelid = c.oid
    left join (select relation, jsonb_object_agg(key, jsonb_build_object('name', name, 'state', state, 'tables', tables::int8[])) as all
        from (${dependents}) dependent group by relation) dependents
      on dependents.relation = c.oid
    left join pg_index i on i.indexrelid = c.oid
    left join pg_class owner on c.relkind = 't' and owner.reltoastrelid = c.oid
    left join pg_inherits h on c.relispartition and h.inhrelid = c.oid
    left join (${has.hypertable ? hypertables : noParts}) hypertable on hypertable.id = c.oid
    left join (${has.compression ? compressedChunks : noParts}) compressed on compressed.id = c.oid
  where ${isOfUsers} and c.relkind <> 'c' and (n.nspname !~ '^_timescaledb_' or ${partOf} is not null)`
