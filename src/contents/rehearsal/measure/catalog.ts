/** Reads the tables, columns, constraints and indexes of a database, with the counters of the server. */
import { queryRows, type Session } from '#postgres/session'
import { firstUserId } from '#postgres/sql'
import {
  byId,
  type Column,
  type EffectObjects,
  hasRelation,
  readColumns,
  readEffectObjects,
} from './catalog-queries.ts'
import { relationsQuery } from './relations-query.ts'

/** An object that locks its table when it changes. */
interface Dependent {
  name: string
  state: string
  /** Other tables whose change may be the cause. */
  tables: number[]
}

/** A relation in the catalog at one moment. */
export interface Relation {
  id: number
  /** The name without the schema if that is `public`. */
  name: string
  /** The name with the schema, as SQL. */
  fullName: string
  /**
   * `pg_class.relkind`: `r` table, `p` partitioned table, `m` materialized view, `f` foreign table, `v` view, `S` sequence,
   * `t` TOAST table, `i` index, `I` index of a partitioned table.
   */
  kind: string
  /** The table of an index or of a TOAST table; the parent of a partition or chunk. */
  partOf: number | null
  /** A partition or chunk. */
  isPart: boolean
  isHypertable: boolean
  /** Of a table: a text that changes with its definition. */
  shape: string | null
  /** Triggers, constraints, indexes, policies and rules, by kind and id: `trigger 16399`. Storage parameters: `options`. */
  dependents: Record<string, Dependent>
  /** Changes with every rewrite. */
  file: number | null
  bytes: number
  /** From the statistics; null without statistics. */
  rows: number | null
  /** From the counters of the server, which include changes that were rolled back. */
  inserted: number
  updated: number
  deleted: number
  /** Committed changes since the last ANALYZE, and live rows, from the same counters. */
  modified: number
  live: number
  /** The number of times that VACUUM and ANALYZE set the counters. */
  resets: number
}

/** The tables at one moment, by the ids of the server. */
export interface Tables {
  relations: Map<number, Relation>
  /** The rows and bytes of each table with all its parts, by table id. */
  extents: Map<number, Extent>
  /** By table id and column number. */
  columns: Map<string, Column>
}

/** The tables at one moment, and the objects that only effects need. */
export interface Catalog extends Tables, EffectObjects {}

async function readRelations(session: Session): Promise<Relation[]> {
  const has = (table: string) => hasRelation(session, `_timescaledb_catalog.${table}`)
  const query = relationsQuery({
    hypertable: await has('hypertable'),
    compression: await has('compression_settings'),
  })
  return await queryRows(session, query)
}

/** A table of this database, also if it is partitioned. */
export const isTable = ({ kind }: Relation) => /^[rp]$/.test(kind)

/** A relation from which users read stored rows. */
export const holdsRows = ({ kind }: Relation) => /^[rpmf]$/.test(kind)

export const isIndex = ({ kind }: Relation) => /^[iI]$/.test(kind)

/** The table of an index, or the hypertable of a chunk. Undefined for ids that are not in the catalog. */
export function tableOf({ relations }: Pick<Tables, 'relations'>, id: number): Relation | undefined {
  let relation = relations.get(id)
  while (relation && relation.partOf !== null) relation = relations.get(relation.partOf)
  return relation
}

/** A compressed chunk stores many rows as one. */
export const isCompressed = ({ relations }: Tables, { kind, partOf }: Relation): boolean =>
  kind === 'r' && relations.get(relations.get(partOf ?? 0)?.partOf ?? 0)?.kind === 'r'

/** The highest id of a relation; at least the first id of users' objects. */
export const highestIdOf = ({ relations }: Tables) => Math.max(firstUserId, ...relations.keys())

/** A table with all its parts, without indexes and TOAST. */
interface Extent {
  bytes: number
  /** From the statistics; undefined without statistics. */
  rows: number | undefined
}

export function measureTables(catalog: Pick<Tables, 'relations'>): Map<number, Extent> {
  const extents = new Map<number, Extent>()
  for (const relation of catalog.relations.values()) {
    const { id, bytes, partOf, rows: counted } = relation
    const table = tableOf(catalog, id)
    // A chunk may be compressed, and then stores many rows as one.
    const rows = catalog.relations.get(partOf ?? 0)?.kind === 'r' ? null : counted
    if (table === undefined || isIndex(relation) || relation.kind === 't') continue
    const before = extents.get(table.id) ?? { bytes: 0, rows: undefined }
    const sum = rows === null ? before.rows : (before.rows ?? 0) + rows
    extents.set(table.id, { bytes: before.bytes + bytes, rows: sum })
  }
  return extents
}

export async function readCatalog(session: Session): Promise<Catalog> {
  const relations = byId(await readRelations(session))
  const extents = measureTables({ relations })
  return { relations, extents, columns: await readColumns(session), ...(await readEffectObjects(session)) }
}
