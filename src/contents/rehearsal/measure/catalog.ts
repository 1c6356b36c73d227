import type { Session } from '../../../postgres/session.ts'
import {
  chunksQuery,
  columnsQuery,
  compressedQuery,
  constraintsQuery,
  firstOfUsers,
  hypertablesQuery,
  indexesQuery,
  relationsQuery,
} from './catalog-queries.ts'

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
