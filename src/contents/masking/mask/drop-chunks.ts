/** Drops the chunks of hypertables that hold only rows older than `newer_than`. */
import { queryRow, queryRows, type Session, StatementError } from '#postgres/session'
import { quoteText } from '#postgres/sql'
import { quotedName, tableName } from '../plan/catalog.ts'
import type { Plan, PlannedTable } from '../plan/plan.ts'
import { aggregatesQuery } from './drop-rows.ts'
import { during, MaskingError } from './work.ts'

/** The estimated number of rows, and the size with indexes and compressed chunks. */
interface Size {
  rows: number
  bytes: number
}

/** A hypertable whose old chunks are dropped. */
export interface Shortened {
  table: string
  newerThan: string
  before: Size
  after: Size
  /** Tiered chunks that stay. A fork shares them with its parent, so `drop_chunks` cannot drop them. */
  tiered: string[]
}

type TableToShorten = PlannedTable & { newerThan: string }

/** Tables with the rule `newer_than`. */
export const findShortened = ({ tables }: Plan): TableToShorten[] =>
  tables.flatMap(table => (table.newerThan === null ? [] : [{ ...table, newerThan: table.newerThan }]))

const renderOlderThan = ({ agePrefix, newerThan }: Pick<TableToShorten, 'agePrefix' | 'newerThan'>) =>
  `older_than => ${agePrefix}${quoteText(newerThan)}`

/** A condition for the rows of `target` that stay. In the emulator's stand-in, a chunk is no table, and all rows stay. */
export function renderKept({ timescaledb }: Plan, table: PlannedTable): string {
  const { agePrefix, newerThan } = table
  if (newerThan === null) return 'true'
  return `target.tableoid not in (select coalesce(to_regclass(chunk::text)::oid, 0)
    from ${timescaledb}.show_chunks(${quoteText(quotedName(table))}::regclass, ${renderOlderThan({ agePrefix, newerThan })}) as chunk)`
}

/**
 * Compressed chunks have no rows that ANALYZE could count, and approximate_row_count() is up to 1,000 times too high for
 * small batches. Counting the rows would read all chunks that are about to be dropped.
 */
const sizeQuery = ({ timescaledb }: Plan) => `
  select ${timescaledb}.hypertable_size($3::regclass)::float8 as bytes, (
    coalesce((select sum(numrows_pre_compression) from _timescaledb_catalog.compression_chunk_size
      join _timescaledb_catalog.chunk on chunk.id = chunk_id join _timescaledb_catalog.hypertable as whole on whole.id = hypertable_id
      where whole.schema_name = $1 and whole.table_name = $2), 0)
    + coalesce((select sum(greatest(reltuples, 0)) from timescaledb_information.chunks
      join pg_class on pg_class.oid = to_regclass(format('%I.%I', chunk_schema, chunk_name))
      where hypertable_schema = $1 and hypertable_name = $2 and not is_compressed), 0))::float8 as rows`

/** Tiger Cloud lists the ranges of tiered chunks in this view. Each table has one foreign part for all of them. */
const tieredChunks = `select chunk_name::text as name from timescaledb_osm.tiered_chunks
  where hypertable_schema = $1 and hypertable_name = $2 and range_end <= now() - $3::interval order by range_start`

async function findTiered(session: Session, table: TableToShorten): Promise<string[]> {
  if (table.elsewhere.length === 0) return []
  const found = await session.attempt(tieredChunks, [table.schema, table.name, table.newerThan])
  return found instanceof StatementError ? table.elsewhere : found.rows.map(({ name }) => String(name))
}

/** A refresh cannot delete the rows of tiered chunks. */
async function refuseTieredAggregates(session: Session, ids: string[]): Promise<void> {
  const found = await queryRows<{ name: string; isTiered: boolean }>(session, aggregatesQuery, [ids])
  const names = found.filter(({ isTiered }) => isTiered).map(({ name }) => name)
  if (names.length > 0)
    throw new MaskingError(
      `newer_than cannot delete the tiered rows of the continuous aggregates ${names.join(', ')}`,
      'remove newer_than, or untier these chunks in the parent',
    )
}

/** Drops old chunks. `refreshDerived` deletes their rows from continuous aggregates. @throws MaskingError */
export async function dropOldChunks(session: Session, plan: Plan): Promise<Shortened[]> {
  const tables = findShortened(plan)
  const ids = tables.map(({ id }) => id)
  const shortened: Shortened[] = []
  if (tables.length > 0) await refuseTieredAggregates(session, ids)
  for (const table of tables) {
    const name = quotedName(table)
    const measure = () => queryRow<Size>(session, sizeQuery(plan), [table.schema, table.name, name])
    await during(`dropping old chunks of ${tableName(table)}`, async () => {
      const before = await measure()
      await session.query(`select ${plan.timescaledb}.drop_chunks($1::regclass, ${renderOlderThan(table)})`, [
        name,
      ])
      const { newerThan } = table
      const tiered = await findTiered(session, table)
      shortened.push({ table: tableName(table), newerThan, before, after: await measure(), tiered })
    })
  }
  return shortened
}
