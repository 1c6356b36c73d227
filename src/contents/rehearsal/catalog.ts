import type { Session } from '../../postgres/session.ts'

/** A table, index or the like, as the catalog has it at one moment. */
export interface Relation {
  id: number
  /** As people write it: without the schema where that is `public`. */
  name: string
  /** `pg_class.relkind`. */
  kind: string
  /** The table of an index, the table that long values belong to, the whole that a partition or chunk is a part of. */
  partOf: number | undefined
  /** A partition or chunk. */
  isPart: boolean
  isHypertable: boolean
  /** Another one after every rewrite. */
  file: number | undefined
  bytes: number
  /** By the statistics; undefined where there are none. */
  rows: number | undefined
  /** Rows, by the counters of the server, which count what was rolled back as well. */
  deleted: number
}

export interface Column {
  table: number
  name: string
  type: string
  /** The share of rows that have a value, by the statistics. */
  filled: number | undefined
}

/** What a migration may leave half done: a constraint that is not valid, an index that is none yet. */
export interface Unfinished {
  name: string
  table: number
  /** SQL that counts the rows which break a constraint. */
  count?: string
}

/** What is there at one moment, by the ids of the server. */
export interface Catalog {
  relations: Map<number, Relation>
  /** By the table's id and the number of the column. */
  columns: Map<string, Column>
  constraints: Map<number, Unfinished>
  indexes: Map<number, Unfinished>
}

const nameOf = (relation: string, schema: string) =>
  `case ${schema}.nspname when 'public' then format('%I', ${relation}.relname)
    else format('%I.%I', ${schema}.nspname, ${relation}.relname) end`

/** The first id that the server gives to what users make (PostgreSQL, access/transam.h). */
const firstOfUsers = 16384

/** Neither the server's own, nor for one session alone. */
const ofUsers = (relation: string, schema: string) =>
  `${relation}.oid >= ${firstOfUsers} and ${schema}.nspname !~ '^(pg_catalog|information_schema|pg_temp_.*|pg_toast_temp_.*)$'`

/** Sizes are those of the statistics where there are any: asking for them opens the table. */
const relationsQuery = `
  select c.oid as id, ${nameOf('c', 'n')} as name, c.relkind::text as kind,
    n.nspname ~ '^_timescaledb_' as internal,
    coalesce(i.indrelid, owner.oid, case when c.relispartition then h.inhparent end) as part_of,
    c.relispartition as is_part,
    pg_relation_filenode(c.oid) as file,
    case when c.relkind in ('r', 'm', 't') and c.relpages = 0 then pg_relation_size(c.oid)
      else c.relpages::int8 * current_setting('block_size')::int8 end::float8 as bytes,
    case when c.reltuples >= 0 then c.reltuples
      else nullif(pg_stat_get_live_tuples(c.oid), 0) end::float8 as rows,
    case when c.relkind = 'r' then pg_stat_get_tuples_deleted(c.oid) else 0 end::float8 as deleted
  from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_index i on i.indexrelid = c.oid
    left join pg_class owner on c.relkind = 't' and owner.reltoastrelid = c.oid
    left join pg_inherits h on c.relispartition and h.inhrelid = c.oid
  where ${ofUsers('c', 'n')} and c.relkind <> 'c'`

/** Chunks, and the hypertable that people know. Older versions have a second one for what is compressed. */
const chunksQuery = `
  select i.inhrelid as id, t.oid as whole
  from _timescaledb_catalog.hypertable one
    left join _timescaledb_catalog.hypertable known on known.compressed_hypertable_id = one.id
    join pg_namespace s on s.nspname = one.schema_name
    join pg_class c on c.relnamespace = s.oid and c.relname = one.table_name
    join pg_inherits i on i.inhparent = c.oid
    join pg_namespace ts on ts.nspname = coalesce(known.schema_name, one.schema_name)
    join pg_class t on t.relnamespace = ts.oid and t.relname = coalesce(known.table_name, one.table_name)`

/** What is compressed of a chunk, in versions that keep it so. Read as JSON, since older ones lack the column. */
const compressedQuery = `
  select (to_jsonb(s) ->> 'compress_relid')::regclass::oid as id, s.relid::oid as whole
  from _timescaledb_catalog.compression_settings s where to_jsonb(s) ->> 'compress_relid' is not null`

const hypertablesQuery = `
  select t.oid as id from _timescaledb_catalog.hypertable h
    join pg_namespace s on s.nspname = h.schema_name
    join pg_class t on t.relnamespace = s.oid and t.relname = h.table_name`

const columnsQuery = `
  select a.attrelid as table, a.attnum as number, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    (select 1 - min(s.null_frac) from pg_stats s
      where s.schemaname = n.nspname and s.tablename = c.relname and s.attname = a.attname)::float8 as filled
  from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
  where ${ofUsers('c', 'n')} and n.nspname !~ '^_timescaledb_' and c.relkind in ('r', 'p', 'f')
    and not c.relispartition and a.attnum > 0 and not a.attisdropped`

/** The rows that break a constraint: a foreign key with MATCH SIMPLE, which is what nearly all are, holds where a column is null. */
const constraintsQuery = `
  select k.oid as id, k.conname as name, k.conrelid as table,
    case k.contype
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
    end as count
  from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_namespace n on n.oid = c.relnamespace
  where not k.convalidated and k.conparentid = 0 and ${ofUsers('c', 'n')} and n.nspname !~ '^_timescaledb_'`

const indexesQuery = `
  select c.oid as id, ${nameOf('c', 'n')} as name, i.indrelid as table
  from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace
  where not (i.indisvalid and i.indisready) and ${ofUsers('c', 'n')}`

type Row = Record<string, unknown>

async function ask(session: Session, sql: string): Promise<Row[]> {
  return (await session.query(sql)).rows
}

/** What TimescaleDB knows of its tables; nothing where it is not installed. */
async function readHypertables(session: Session) {
  const has = async (table: string) => {
    const [row] = await ask(session, `select to_regclass('_timescaledb_catalog.${table}') is not null as is`)
    return row?.is === true
  }
  if (!(await has('hypertable'))) return { ids: new Set<number>(), ofChunk: new Map<number, number>() }
  const compressed = (await has('compression_settings')) ? await ask(session, compressedQuery) : []
  const chunks = [...(await ask(session, chunksQuery)), ...compressed]
  return {
    ids: new Set((await ask(session, hypertablesQuery)).map(({ id }) => id as number)),
    ofChunk: new Map(chunks.map(({ id, whole }) => [id as number, whole as number])),
  }
}

async function readRelations(session: Session): Promise<Map<number, Relation>> {
  const hypertables = await readHypertables(session)
  const relations = (await ask(session, relationsQuery)).map((row): Relation & { internal: boolean } => {
    const id = row.id as number
    const hypertable = hypertables.ofChunk.get(id)
    return {
      ...{ id, name: row.name as string, kind: row.kind as string, internal: row.internal === true },
      partOf: hypertable ?? (row.part_of as number | null) ?? undefined,
      isPart: hypertable !== undefined || row.is_part === true,
      isHypertable: hypertables.ids.has(id),
      file: (row.file as number | null) ?? undefined,
      bytes: row.bytes as number,
      rows: (row.rows as number | null) ?? undefined,
      deleted: row.deleted as number,
    }
  })
  // TimescaleDB's own tables are no matter of a migration, but for the chunks.
  const shown = relations.filter(({ internal, partOf }) => !internal || partOf !== undefined)
  return new Map(shown.map(({ internal: _, ...relation }) => [relation.id, relation]))
}

const byId = (rows: Row[]) =>
  new Map(
    rows.map(({ id, name, table, count }): [number, Unfinished] => [
      id as number,
      {
        name: name as string,
        table: table as number,
        ...(typeof count === 'string' && { count }),
      },
    ]),
  )

/** Reads what is there. */
export async function readCatalog(session: Session): Promise<Catalog> {
  const relations = await readRelations(session)
  const columns = await ask(session, columnsQuery)
  return {
    relations,
    columns: new Map(
      columns.map(({ table, number, name, type, filled }) => [
        `${table}.${number}`,
        {
          ...{ table: table as number, name: name as string, type: type as string },
          filled: (filled as number | null) ?? undefined,
        },
      ]),
    ),
    constraints: byId(await ask(session, constraintsQuery)),
    indexes: byId(await ask(session, indexesQuery)),
  }
}

/** The table that people know it by: of an index its table, of a chunk the hypertable. Undefined for what is not in the catalog. */
export function tableOf({ relations }: Catalog, id: number): Relation | undefined {
  let relation = relations.get(id)
  while (relation?.partOf !== undefined) relation = relations.get(relation.partOf)
  return relation
}

/** A table with all its parts, but without indexes and what holds long values. */
export interface Extent {
  bytes: number
  /** By the statistics; undefined where they do not tell. */
  rows: number | undefined
}

/** How much each table holds, with all its parts. */
export function measureTables(catalog: Catalog): Map<number, Extent> {
  const extents = new Map<number, Extent>()
  for (const { id, kind, bytes, partOf, rows: counted } of catalog.relations.values()) {
    const table = tableOf(catalog, id)
    // Beside a chunk stands what is compressed of it, where a row is many.
    const isCompressed = partOf !== undefined && catalog.relations.get(partOf)?.kind === 'r'
    const rows = isCompressed ? undefined : counted
    if (table === undefined || /^[iIt]$/.test(kind)) continue
    const before = extents.get(table.id) ?? { bytes: 0, rows: undefined }
    const sum = rows === undefined ? before.rows : (before.rows ?? 0) + rows
    extents.set(table.id, { bytes: before.bytes + bytes, rows: sum })
  }
  return extents
}

/** The files as they are now, with their sizes by the statistics. Opens nothing, so it waits for nothing. */
export async function readFiles(session: Session): Promise<Pick<Relation, 'id' | 'file' | 'bytes'>[]> {
  const rows = await ask(
    session,
    `select oid as id, pg_relation_filenode(oid) as file,
       (relpages::int8 * current_setting('block_size')::int8)::float8 as bytes
     from pg_class where oid >= ${firstOfUsers} and relkind in ('r', 'i', 't', 'm')`,
  )
  return rows.map(({ id, file, bytes }) => ({
    ...{ id: id as number, bytes: bytes as number },
    file: (file as number | null) ?? undefined,
  }))
}
