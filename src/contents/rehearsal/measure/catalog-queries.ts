/** The queries that read columns, and the objects that effects need. */
import { commentOf, noteNames } from '#contents/notes/notes'
import { queryRow, queryRows, queryValue, type Session } from '#postgres/session'
import { isOfUsers, nameOf } from './relations-query.ts'

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

/** Reads the objects that only the table of effects needs. The catalogs before and after a migration contain them. */
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
