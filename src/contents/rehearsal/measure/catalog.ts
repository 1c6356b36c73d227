/** Reads the tables, columns, constraints and indexes of a database, with the counters of the server. */
import { queryRow, queryRows, type Session } from '#postgres/session'
import {
  chunksQuery,
  columnsQuery,
  compressedQuery,
  constraintsQuery,
  highestId,
  hypertablesQuery,
  indexesQuery,
  largeObjectsUpTo,
  relationsQuery,
  retentionQuery,
} from './catalog-queries.ts'

/** An object of a table that locks the table when it changes. */
export interface Dependent {
  name: string
  state: string
  /** The ids of other tables whose change may be the cause. */
  tables: number[]
}

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
  /** Of a table: a text that differs after a change of its definition. */
  shape: string | undefined
  /** Triggers, constraints, indexes, policies and rules, by their kinds and ids: `trigger 16399`. */
  dependents: Record<string, Dependent>
  /** Another one after every rewrite. */
  file: number | undefined
  bytes: number
  /** By the statistics; undefined where there are none. */
  rows: number | undefined
  /** Rows by the counters of the server, which count rolled-back changes too. */
  inserted: number
  updated: number
  deleted: number
  /** Committed changes since the last ANALYZE, and live rows, by the same counters. */
  modified: number
  live: number
  /** How often VACUUM and ANALYZE set the counters. */
  resets: number
}

export interface Column {
  table: number
  name: string
  type: string
  /** Stays as it is where the type gets another name. */
  typeId: string
  /** The share of rows that have a value, by the statistics. */
  filled: number | undefined
  /** Computed from other columns. */
  generated: boolean
  /** The attributes of its composite type, or of the composite type of its elements, by their numbers. */
  fields: Record<string, string>
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
  largeObjects: LargeObjects
  /** By the id of the job. */
  retention: Map<number, Retention>
}

/** The large objects that are no notes of this action. Later ones have higher ids. */
interface LargeObjects {
  count: number
  highest: number
}

/** A policy of TimescaleDB that deletes old chunks. */
export interface Retention {
  id: number
  table: number
  /** Of the table, or of the continuous aggregate that it belongs to. */
  name: string
  /** As PostgreSQL writes intervals; a number where time is one. */
  age: string
  /** SQL that returns the ids of the chunks to delete now; null where time is a number. */
  older: string | null
}

/** A chunk, and the hypertable that it is a part of. */
interface Chunk {
  id: number
  whole: number
}

/** As the query of relations gives them. */
interface RelationRow
  extends Omit<Relation, 'partOf' | 'isPart' | 'isHypertable' | 'shape' | 'dependents' | 'file' | 'rows'> {
  internal: boolean
  part_of: number | null
  is_part: boolean
  shape: string | null
  dependents: Record<string, Dependent> | null
  file: number | null
  rows: number | null
}

interface ColumnRow extends Omit<Column, 'filled'> {
  number: number
  filled: number | null
}

interface UnfinishedRow extends Pick<Unfinished, 'name' | 'table'> {
  id: number
  count?: string | null
}

const exists = async (session: Session, relation: string) =>
  (await queryRow<{ is: boolean }>(session, `select to_regclass('${relation}') is not null as is`)).is

/** What TimescaleDB knows of its tables; nothing where it is not installed. */
async function readHypertables(session: Session) {
  const has = (table: string) => exists(session, `_timescaledb_catalog.${table}`)
  if (!(await has('hypertable'))) return { ids: new Set<number>(), ofChunk: new Map<number, number>() }
  const compressed = (await has('compression_settings'))
    ? await queryRows<Chunk>(session, compressedQuery)
    : []
  const chunks = [...(await queryRows<Chunk>(session, chunksQuery)), ...compressed]
  const hypertables = await queryRows<{ id: number }>(session, hypertablesQuery)
  return {
    ids: new Set(hypertables.map(({ id }) => id)),
    ofChunk: new Map(chunks.map(({ id, whole }) => [id, whole])),
  }
}

async function readRelations(session: Session): Promise<Map<number, Relation>> {
  const hypertables = await readHypertables(session)
  const relations = (await queryRows<RelationRow>(session, relationsQuery)).map(
    ({ internal, part_of, is_part, shape, dependents, file, rows, ...row }) => {
      const hypertable = hypertables.ofChunk.get(row.id)
      const relation: Relation = {
        ...row,
        partOf: hypertable ?? part_of ?? undefined,
        isPart: hypertable !== undefined || is_part,
        isHypertable: hypertables.ids.has(row.id),
        shape: shape ?? undefined,
        dependents: dependents ?? {},
        file: file ?? undefined,
        rows: rows ?? undefined,
      }
      return { internal, relation }
    },
  )
  // TimescaleDB's own tables are no matter of a migration, but for the chunks.
  const shown = relations.filter(({ internal, relation }) => !internal || relation.partOf !== undefined)
  return new Map(shown.map(({ relation }) => [relation.id, relation]))
}

const byId = (rows: UnfinishedRow[]) =>
  new Map(
    rows.map(({ id, name, table, count }): [number, Unfinished] => [
      id,
      { name, table, ...(typeof count === 'string' && { count }) },
    ]),
  )

/** Reads what is there. */
export async function readCatalog(session: Session): Promise<Catalog> {
  const relations = await readRelations(session)
  const columns = await queryRows<ColumnRow>(session, columnsQuery)
  const retention = (await exists(session, 'timescaledb_information.jobs'))
    ? await queryRows<Retention>(session, retentionQuery)
    : []
  return {
    relations,
    columns: new Map(
      columns.map(({ number, filled, ...column }) => [
        `${column.table}.${number}`,
        { ...column, filled: filled ?? undefined },
      ]),
    ),
    constraints: byId(await queryRows(session, constraintsQuery)),
    indexes: byId(await queryRows(session, indexesQuery)),
    largeObjects: await queryRow(session, largeObjectsUpTo(highestId)),
    retention: new Map(retention.map(policy => [policy.id, policy])),
  }
}

/** The table that people know it by: of an index its table, of a chunk the hypertable. Undefined for what is not in the catalog. */
export function tableOf({ relations }: Catalog, id: number): Relation | undefined {
  let relation = relations.get(id)
  while (relation?.partOf !== undefined) relation = relations.get(relation.partOf)
  return relation
}

/** What is compressed of a chunk, where a row is many. */
export const isCompressed = ({ relations }: Catalog, { kind, partOf }: Relation): boolean =>
  kind === 'r' && relations.get(relations.get(partOf ?? 0)?.partOf ?? 0)?.kind === 'r'

/** The highest id of a relation. */
export const newestOf = ({ relations }: Catalog) => Math.max(16384, ...relations.keys())

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
