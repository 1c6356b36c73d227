/** SQL queries that read the catalog of the database to mask. */
import { isOfExtension } from '#postgres/sql'
import { workSchema } from './expressions.ts'

/** The versions of the server that the queries distinguish. */
interface Server {
  version: number
  timescaledb: string | null
}

/** A condition for types that cannot contain text, by category (PostgreSQL documentation, pg_type) or by name. */
const textless = `(typcategory in ('B', 'N', 'D', 'T', 'G') or typname in
  ('uuid', 'oid', 'xid', 'xid8', 'cid', 'tid', 'pg_lsn', 'pg_snapshot', 'txid_snapshot', 'bit', 'varbit'))`

/** The types that each column's type consists of: of a domain, an array, a composite or a range. */
const parts = `
  part(whole, id) as (
    select distinct atttypid, atttypid from pg_attribute where attnum > 0 and not attisdropped
    union
    select whole, next from part join pg_type as type on type.oid = part.id, lateral (
      select typbasetype where typtype = 'd'
      union all select typelem where typcategory = 'A' and typelem <> 0
      union all select atttypid from pg_attribute where attrelid = typrelid and attnum > 0 and not attisdropped
      union all select rngsubtype from pg_range
        where rngtypid = type.oid or rngmultitypid = type.oid
    ) as below(next)),
  texts(id) as (
    select distinct whole from part join pg_type as type on type.oid = part.id
    where typtype = 'b' and not (typcategory = 'A' and typelem <> 0) and not ${textless}),
  -- The type below a domain, through any number of domains.
  base(id, type, modifier) as (
    select oid, oid, -1 from pg_type where typtype <> 'd'
    union all
    select type.oid, base.type, greatest(typtypmod, modifier) from base join pg_type as type on typbasetype = base.id
      where typtype = 'd')`

/** Maps each partition and chunk to the table at the top. */
const trees = ({ timescaledb }: Server) => `
  hypertable(id, is_compressed) as (${
    timescaledb !== null
      ? `select to_regclass(format('%I.%I', schema_name, table_name))::oid, exists (select from timescaledb_information.chunks
           where hypertable_schema = schema_name and hypertable_name = table_name and is_compressed)
         from _timescaledb_catalog.hypertable`
      : 'select null::oid, false where false'
  }),
  covered(id, parent) as (
    select inhrelid, inhparent from pg_inherits join pg_class on pg_class.oid = inhrelid
    where relispartition or inhparent in (select id from hypertable)),
  tree(root, id) as (
    select oid, oid from pg_class where relkind in ('r', 'p', 'm', 'f') and oid not in (select id from covered)
    union all select root, covered.id from tree join covered on covered.parent = tree.id)`

/** The schemas of PostgreSQL and the work schema of masking, which contain no data of users. */
export const isSystemSchema = `(nspname in ('pg_catalog', 'information_schema', '${workSchema}') or nspname ~ '^pg_(toast|temp)')`

/** Large objects without a comment of this action. Those with one are notes. */
export const largeObjects = `pg_largeobject_metadata as object
  where not exists (select from pg_description where classoid = 'pg_largeobject'::regclass and objoid = object.oid
    and description like 'managed-database-action: %')`

/** A `name` column of an extension contains the names of tables, columns or jobs, not copies of data. */
const isNameOfExtension = `(atttypid = 'name'::regtype and ${isOfExtension("'pg_class'::regclass", 'attrelid')})`

const aggregates = `select to_regclass(format('%I.%I', schema_name, table_name))::oid
  from _timescaledb_catalog.continuous_agg as aggregate
  join _timescaledb_catalog.hypertable as stored on stored.id = aggregate.mat_hypertable_id`

/** The column `agePrefix`. Integers need the function that set_integer_now_func named. */
const agePrefix = `(select case when column_type in ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype) then 'interval '
    when integer_now_func is not null then format('%I.%I() - ', integer_now_func_schema, integer_now_func) end
  from _timescaledb_catalog.dimension join _timescaledb_catalog.hypertable as divided on divided.id = hypertable_id
  where schema_name = nspname and table_name = relname and num_slices is null order by dimension.id limit 1)`

const isNoChunk = (id: string) =>
  `not exists (select from covered join hypertable on hypertable.id = parent where covered.id = ${id})`

/** The statements that disable a trigger of `pg_trigger` and enable it as before. */
export const triggerSwitches = `format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as lift,
  format('alter table %s enable %s trigger %I', tgrelid::regclass,
    case tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, tgname) as restore`

export const catalogQueries = {
  tables: server => `with recursive ${trees(server)},
  aggregate(id) as (${server.timescaledb !== null ? aggregates : 'select null::oid where false'}),
  whole(root, rows, elsewhere, parts) as (
    select root, sum(greatest(reltuples, 0)),
      coalesce(array_agg(id::regclass::text) filter (where relkind = 'f' and id <> root), '{}'),
      coalesce(array_agg(id::regclass::text) filter (where relkind = 'r' and id <> root), '{}')
    from tree join pg_class on pg_class.oid = id group by root)
  select class.oid::text as id, nspname::text as schema, relname::text as name,
    case when class.oid in (select id from aggregate) then 'continuous aggregate'
      else case relkind when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end end as kind,
    whole.rows::float8 as rows,
    pg_get_userbyid(relowner)::text as owner, pg_has_role(relowner, 'usage') as "hasOwnerRights",
    case when nspname ~ '^_timescaledb_' then 'timescaledb' else
      (select extname::text from pg_depend join pg_extension on pg_extension.oid = refobjid
        where classid = 'pg_class'::regclass and objid = class.oid and deptype = 'e' limit 1) end as extension,
    class.oid in (select id from hypertable) as "isHypertable", ${server.timescaledb !== null ? agePrefix : 'null'} as "agePrefix",
    coalesce((select is_compressed from hypertable where id = class.oid), false) as "isCompressed",
    relkind = 'r' and class.oid not in (select id from hypertable) as "isPlain",
    exists (select from pg_rewrite where ev_class = class.oid and ev_type = '2') as "hasRewriteRule",
    (select inhparent::text from pg_inherits where inhrelid = class.oid order by inhseqno limit 1) as parent,
    elsewhere, parts
  from pg_class as class join pg_namespace on pg_namespace.oid = relnamespace join whole on root = class.oid
  where relkind in ('r', 'p', 'm', 'f') and class.oid not in (select id from covered) and not ${isSystemSchema}
  union all
  select 'pg_largeobject', 'pg_catalog', 'pg_largeobject', 'large objects', count(*), current_user::text,
    coalesce(bool_and(pg_has_role(lomowner, 'usage')), true), null, false, null, false, true, false, null, '{}', '{}'
  from ${largeObjects}
  order by 2, 3`,

  columns: server => `with recursive ${parts}, ${trees(server)},
  divided(root, name) as (
    select root, attname from tree join pg_partitioned_table on partrelid = tree.id join pg_attribute on attrelid = tree.id
    where partstrat <> 'h' and (attnum = any (partattrs) or 0 = any (partattrs))
    ${
      server.timescaledb !== null
        ? `union all select to_regclass(format('%I.%I', schema_name, table_name))::oid, column_name
             from _timescaledb_catalog.dimension join _timescaledb_catalog.hypertable as whole on whole.id = hypertable_id`
        : ''
    })
  select attrelid::text as table, pg_attribute.attname::text as name, format_type(atttypid, atttypmod) as type,
    case when type.typcategory = 'S' then 'text'
      when type.typcategory = 'A' and element.typcategory = 'S' then 'texts'
      when type.typname in ('json', 'jsonb') then 'json' when type.typname = 'bytea' then 'bytes'
      when type.typname in ('inet', 'cidr') then 'ip' when element.typname in ('inet', 'cidr') then 'ips'
      when type.typname = 'uuid' then 'uuid'
      when type.typname in ('date', 'timestamp', 'timestamptz') then 'date' when type.typcategory = 'N' then 'number'
      when type.typname in ('point', 'geometry', 'geography') then type.typname else 'other' end as family,
    atttypid in (select id from texts) and not ${isNameOfExtension} as "holdsText",
    case when type.typname in ('varchar', 'bpchar') and greatest(atttypmod, modifier) > 4
      then greatest(atttypmod, modifier) - 4 when type.typname = 'name' then 63 end as length,
    attnotnull or declared.typnotnull as "notNull", attgenerated <> '' as "isGenerated", attidentity = 'a' as "isAlwaysIdentity",
    type.typname = 'citext' as "ignoresCase",
    (attrelid, pg_attribute.attname) in (select root, name from divided) as "decidesPart", attnum as position
  from pg_attribute join pg_class as class on class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
    join pg_type as declared on declared.oid = atttypid
    join base on base.id = atttypid join pg_type as type on type.oid = base.type
    left join pg_type as element on element.oid = type.typelem
  where attnum > 0 and not attisdropped and relkind in ('r', 'p', 'm', 'f')
    and attrelid not in (select id from covered) and not ${isSystemSchema}
  union all
  select 'pg_largeobject', 'data', 'bytea', 'bytes', true, null, true, false, false, false, false, 1
  where exists (select from ${largeObjects}) order by position`,

  /** Each unique index and exclusion constraint, assigned to the table at the top. Columns in an index expression count. */
  uniques: server => `with recursive ${trees(server)}
  select root::text as table, index.relname::text as name,
    array(select distinct attname::text from pg_attribute where attrelid = indrelid and attnum > 0
      and (attnum = any (indkey[0:indnkeyatts - 1]) or 0 = any (indkey) and exists (select from pg_depend
        where classid = 'pg_class'::regclass and objid = indexrelid and refobjid = indrelid and refobjsubid = attnum))) as columns,
    ${server.version >= 150_000 ? 'indnullsnotdistinct' : 'false'} as "nullsEqual", indisexclusion as "isExclusion",
    case when root = indrelid then coalesce(format('alter table %s drop constraint ', indrelid::regclass) || quote_ident(conname),
      format('drop index %s', indexrelid::regclass)) end as lift,
    case when root = indrelid then coalesce(format('alter table %s add constraint ', indrelid::regclass) || quote_ident(conname) || ' ' ||
      pg_get_constraintdef(key.oid), pg_get_indexdef(indexrelid)) end as restore
  from pg_index join tree on tree.id = indrelid left join pg_constraint as key on conindid = indexrelid and conrelid = indrelid
      and contype in ('p', 'u', 'x')
    join pg_class as index on index.oid = indexrelid join pg_class as class on class.oid = indrelid
    join pg_namespace on pg_namespace.oid = class.relnamespace
  where (indisunique or indisexclusion) and not ${isSystemSchema}`,

  foreignKeys: server => `with recursive ${trees(server)}
  select conname::text as name, conrelid::regclass::text as relation, child.root::text as table,
    array(select attname::text from unnest(conkey) with ordinality as key(number, position)
      join pg_attribute on attrelid = conrelid and attnum = number order by position) as columns,
    parent.root::text as target,
    array(select attname::text from unnest(confkey) with ordinality as key(number, position)
      join pg_attribute on attrelid = confrelid and attnum = number order by position) as "targetColumns",
    array(select format('operator(%I.%s)', nspname, oprname) from unnest(conpfeqop) with ordinality as used(id, position)
      join pg_operator on pg_operator.oid = used.id join pg_namespace on pg_namespace.oid = oprnamespace order by position) as operators,
    pg_get_constraintdef(key.oid) as definition
  from pg_constraint as key join tree as child on child.id = conrelid join tree as parent on parent.id = confrelid
  where contype = 'f' and conparentid = 0
    and not exists (select from covered join hypertable on hypertable.id = covered.parent where covered.id in (conrelid, confrelid))`,

  /** All enabled triggers, except those of TimescaleDB, which record the aggregates to refresh. */
  triggers: server => `with recursive ${trees(server)}
  select root::text as table, ${triggerSwitches}
  from pg_trigger join tree on tree.id = tgrelid join pg_proc on pg_proc.oid = tgfoid
    join pg_namespace on pg_namespace.oid = pronamespace
  where not tgisinternal and tgenabled in ('O', 'A') and tgparentid = 0
    and nspname !~ '^_timescaledb_' and ${isNoChunk('tgrelid')}`,

  policies: server => `with recursive ${trees(server)}
  select root::text as table, format('alter table %s no force row level security', class.oid::regclass) as lift,
    format('alter table %s force row level security', class.oid::regclass) as restore
  from pg_class as class join tree on tree.id = class.oid where relforcerowsecurity and pg_has_role(relowner, 'usage')`,

  notValid: server => `with recursive ${trees(server)}
  select root::text as table, conname::text as name,
    format('alter table %s drop constraint %I', conrelid::regclass, conname) as lift,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid)) as restore
  from pg_constraint join tree on tree.id = conrelid
  where contype = 'c' and not convalidated and coninhcount = 0 and ${isNoChunk('conrelid')}`,

  /** Continuous aggregates, then materialized views by depth: a view is refreshed after the views that it reads. */
  derived: ({ timescaledb }) => `with recursive
  used(by, id) as (
    select distinct ev_class, refobjid from pg_rewrite join pg_depend on classid = 'pg_rewrite'::regclass and objid = pg_rewrite.oid
    where refclassid = 'pg_class'::regclass and refobjid <> ev_class),
  depth(id, steps) as (
    select oid, 0 from pg_class where relkind = 'm'
    union select used.id, steps + 1 from depth join used on used.by = depth.id)
  select name, stored, "isAggregate" from (
    select class.oid::regclass::text as name, class.oid::regclass::text as stored, false as "isAggregate", -max(steps) as position
      from depth join pg_class as class on class.oid = depth.id where relkind = 'm' and relispopulated group by class.oid
    ${
      timescaledb === null
        ? ''
        : `union all select format('%I.%I', user_view_schema, user_view_name), format('%I.%I', schema_name, table_name), true,
             mat_hypertable_id - 1000000000
           from _timescaledb_catalog.continuous_agg join _timescaledb_catalog.hypertable on hypertable.id = mat_hypertable_id`
    }) as found order by position`,
} satisfies Record<string, (server: Server) => string>
