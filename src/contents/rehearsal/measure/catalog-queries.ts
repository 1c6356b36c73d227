/** The queries that read the catalogs of PostgreSQL and TimescaleDB. */
import { commentOf, noteNames } from '#contents/notes/notes'
import { queryRow, queryRows, queryValue, type Session } from '#postgres/session'
import { firstUserId } from '#postgres/sql'

/** SQL for the name of a relation, without the schema if that is `public`. */
const nameOf = (relation: string, schema: string) =>
  `case ${schema}.nspname when 'public' then format('%I', ${relation}.relname)
    else format('%I.%I', ${schema}.nspname, ${relation}.relname) end`

/** A condition for `pg_class c` and its `pg_namespace n` that excludes system tables and temporary tables. */
const isOfUsers = `c.oid >= ${firstUserId} and n.nspname !~ '^(pg_catalog|information_schema|pg_temp_.*|pg_toast_temp_.*)$'`

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

/** SQL that returns a fact or rows, and their type. */
type Typed<Type> = string & { readonly returns?: Type }

const fact = <Type>(sql: string): Typed<Type> => sql

type RowOf<Facts> = { [Name in keyof Facts]: Facts[Name] extends Typed<infer Type> ? Type : never }

/** A query with a column for each fact. A fact that a finding reads but no query has does not compile. */
const select = <Facts extends Record<string, string>>(facts: Facts, from: string): Typed<RowOf<Facts>> => {
  const columns = Object.entries(facts).map(([name, sql]) => `${sql} as "${name}"`)
  return `select ${columns.join(', ')} ${from}`
}

export const hasRelation = (session: Session, name: string): Promise<boolean> =>
  queryValue(session, `select to_regclass('${name}') is not null`)

export const byId = <Row extends { id: number }>(rows: Row[]) => new Map(rows.map(row => [row.id, row]))

async function readById<Row extends { id: number }>(session: Session, query: Typed<Row>) {
  return byId(await queryRows<Row>(session, query))
}

const columnFacts = {
  table: fact<number>('a.attrelid'),
  number: fact<number>('a.attnum'),
  name: fact<string>('quote_ident(a.attname)'),
  type: fact<string>('format_type(a.atttypid, a.atttypmod)'),
  /** Does not change when the type is renamed. */
  typeId: fact<string>("concat_ws(' ', a.atttypid, a.atttypmod)"),
  /** The share of rows with a value, from the statistics. */
  filled: fact<number | null>(`(select 1 - min(s.null_frac) from pg_stats s
      where s.schemaname = n.nspname and s.tablename = c.relname and s.attname = a.attname)::float8`),
  isGenerated: fact<boolean>("a.attgenerated <> ''"),
  isEnum: fact<boolean>("(select typtype = 'e' from pg_type t where t.oid = a.atttypid)"),
  /** The attributes of its composite type, or of its elements' composite type, by number. */
  fields: fact<Record<string, string>>(`(
      select coalesce(jsonb_object_agg(f.attnum, f.attname), '{}') from pg_type t left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
        join pg_type composite on composite.oid = coalesce(e.oid, t.oid) and composite.typtype = 'c' join pg_class k on k.oid = composite.typrelid and k.relkind = 'c'
        join pg_attribute f on f.attrelid = k.oid and f.attnum > 0 and not f.attisdropped
      where t.oid = a.atttypid)`),
}

export type Column = RowOf<typeof columnFacts>

const columnsQuery = select(
  columnFacts,
  `from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
  where ${isOfUsers} and n.nspname !~ '^_timescaledb_' and c.relkind in ('r', 'p', 'f')
    and not c.relispartition and a.attnum > 0 and not a.attisdropped`,
)

/** By table id and column number. */
export async function readColumns(session: Session): Promise<Map<string, Column>> {
  const columns = await queryRows<Column>(session, columnsQuery)
  return new Map(columns.map(column => [`${column.table}.${column.number}`, column]))
}

/** Rows that violate a constraint. A foreign key with MATCH SIMPLE, the default, allows a null in any column. */
const constraintsQuery = select(
  {
    id: fact<number>('k.oid'),
    name: fact<string>('k.conname'),
    table: fact<number>('k.conrelid'),
    /** SQL that counts the rows that violate the constraint. */
    countQuery: fact<string | null>(`case k.contype
      when 'c' then format('select count(*) from %s where not (%s)', k.conrelid::regclass,
        pg_get_expr(k.conbin, k.conrelid))
      when 'f' then format('select count(*) from %s child where %s and not exists (select from %s parent where %s)',
        k.conrelid::regclass,
        (select string_agg(format('child.%I is not null', a.attname), ' and ')
          from unnest(k.conkey) number join pg_attribute a on a.attrelid = k.conrelid and a.attnum = number),
        k.confrelid::regclass,
        (select string_agg(format('parent.%I = child.%I', f.attname, a.attname), ' and ')
          from unnest(k.conkey, k.confkey) pair(child, parent)
            join pg_attribute a on a.attrelid = k.conrelid and a.attnum = pair.child
            join pg_attribute f on f.attrelid = k.confrelid and f.attnum = pair.parent))
      when 'n' then format('select count(*) from %s where %I is null', k.conrelid::regclass,
        (select attname from pg_attribute where attrelid = k.conrelid and attnum = k.conkey[1]))
    end`),
  },
  `from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_namespace n on n.oid = c.relnamespace
  where not k.convalidated and k.conparentid = 0 and ${isOfUsers} and n.nspname !~ '^_timescaledb_'`,
)

/** The number of large objects, without the notes of this action, and their highest id. */
export const largeObjectsUpTo = (highest: number) => `
  select count(*)::float8 as count, coalesce(max(oid::int8), 0)::float8 as highest from pg_largeobject_metadata object
  where oid::int8 <= ${highest} and not exists (select from pg_description where objoid = object.oid
    and classoid = 'pg_largeobject'::regclass and description in (${noteNames.map(note => `'${commentOf(note)}'`).join(', ')}))`

/** The largest id that an object can have. */
const largestId = 2 ** 32 - 1

const retentionFacts = {
  id: fact<number>('job_id'),
  table: fact<number>('rel.oid'),
  /** The table, or the continuous aggregate that owns it. */
  name: fact<string>(`coalesce(
      (select ${nameOf('view', 'owner')} from timescaledb_information.continuous_aggregates
          join pg_namespace owner on owner.nspname = view_schema
          join pg_class view on view.relnamespace = owner.oid and view.relname = view_name
        where materialization_hypertable_schema = s.nspname and materialization_hypertable_name = rel.relname),
      ${nameOf('rel', 's')})`),
  /** An interval of PostgreSQL, or a number if the time column is one. */
  age: fact<string>("coalesce(config ->> 'drop_after', config ->> 'drop_created_before')"),
  /** SQL that calls show_chunks for the chunks to delete now; null if the time column is a number. */
  chunksQuery: fact<string | null>(`case when jsonb_typeof(config -> 'drop_after') = 'number' then null
      else format('select chunk::oid as id from %I.show_chunks(%s::regclass, %s => interval %L) chunk',
        (select nspname from pg_extension join pg_namespace n on n.oid = extnamespace where extname = 'timescaledb'), rel.oid,
        case when config ? 'drop_after' then 'older_than' else 'created_before' end,
        coalesce(config ->> 'drop_after', config ->> 'drop_created_before')) end`),
}

/** The policies of TimescaleDB that delete old chunks. */
const retentionQuery = select(
  retentionFacts,
  `from timescaledb_information.jobs j
    join pg_namespace s on s.nspname = j.hypertable_schema
    join pg_class rel on rel.relnamespace = s.oid and rel.relname = j.hypertable_name
  where proc_name = 'policy_retention'`,
)

const indexesQuery = select(
  {
    id: fact<number>('c.oid'),
    name: fact<string>(nameOf('c', 'n')),
    table: fact<number>('i.indrelid'),
    countQuery: fact<string | null>('null'),
  },
  `from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace
  where not (i.indisvalid and i.indisready) and ${isOfUsers}`,
)

/** Reads the objects that only effects need: a row of that table finds its objects here, before and after the migration. */
export const readEffectObjects = async (session: Session) => ({
  /** Constraints that are not validated. */
  constraints: await readById(session, constraintsQuery),
  /** Invalid indexes. */
  indexes: await readById(session, indexesQuery),
  /** By job id. */
  retention: (await hasRelation(session, 'timescaledb_information.jobs'))
    ? await readById(session, retentionQuery)
    : new Map<number, never>(),
  /** The number of large objects without the notes of this action, and the highest id. Ids only grow. */
  largeObjects: await queryRow<{ count: number; highest: number }>(session, largeObjectsUpTo(largestId)),
})

export type EffectObjects = Awaited<ReturnType<typeof readEffectObjects>>
