import type { Session } from '../../../postgres/session.ts'
import { quoteName } from '../plan/expressions.ts'
import type { Plan, PlannedTable } from '../plan/planned.ts'
import { withClearing } from './drop-rows.ts'
import { findMasked } from './update.ts'
import { during } from './work.ts'

/** ANALYZE leaves the statistics of what has become empty as they were: of tables, partitions, indexes on expressions. */
const clearEmpty = `
  with recursive part(id) as (
    select $1::regclass::oid union select inhrelid from part join pg_inherits on inhparent = part.id)
  select pg_clear_attribute_stats(schemaname, tablename, attname, inherited)
  from pg_stats join pg_class on pg_class.oid = format('%I.%I', schemaname, tablename)::regclass
  where reltuples = 0 and (pg_class.oid in (select id from part)
    or pg_class.oid in (select indexrelid from pg_index where indrelid in (select id from part)))`

/** As far as the version lets us: the proof finds what is left. */
async function clearStatistics(session: Session, { version }: Plan, name: string, table?: PlannedTable) {
  if (version >= withClearing) {
    await session.query(clearEmpty, [name])
    return
  }
  // A column that gets its type anew loses them, unless a view or an index is in the way.
  for (const { name: column, type, holdsText } of table?.dropRows ? table.columns : [])
    if (holdsText) await session.attempt(`alter table ${name} alter column ${quoteName(column)} type ${type}`)
}

/** The chunks of a hypertable that are compressed. */
const compressedChunks = `
  select format('%I.%I', chunk_schema, chunk_name) as chunk from timescaledb_information.chunks
  where is_compressed and hypertable_schema = $1 and hypertable_name = $2`

/**
 * Leaves no old row and no old statistics of a table behind. Rows are analyzed before they are compressed again: afterwards
 * the chunk has none to look at.
 */
export async function rewrite(session: Session, plan: Plan, table: PlannedTable): Promise<void> {
  const name = `${quoteName(table.schema)}.${quoteName(table.name)}`
  if (!table.isCompressed) {
    await session.query(`vacuum (analyze) ${name}`)
    await clearStatistics(session, plan, name, table)
    return
  }
  const { rows } = await session.query(compressedChunks, [table.schema, table.name])
  await session.query(`analyze ${name}`)
  for (const { chunk } of rows)
    await session.query(
      `select ${plan.timescaledb}.compress_chunk($1::regclass, if_not_compressed => true)`,
      [chunk],
    )
  await session.query(`vacuum ${name}`)
}

/** Where compressed rows are: their statistics name the first and the last value of columns (TimescaleDB, `_ts_meta_min_1`). */
const compressedTables = `
  select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
  where attname = '_ts_meta_count' and relkind = 'r' and relnamespace = '_timescaledb_internal'::regnamespace
    and pg_has_role(relowner, 'usage')`

/**
 * Refreshes also where no change is noted, so that nothing stays of rows which were deleted long ago; without this argument
 * (TimescaleDB before 2.18), as far as changes are noted.
 */
const forced = `
  select case when 'force' = any (proargnames) then ', force => true' else '' end as argument
  from pg_proc where proname = 'refresh_continuous_aggregate'`

/** Computes anew what was computed from masked rows. */
export async function derive(session: Session, plan: Plan): Promise<void> {
  const { derived, timescaledb } = plan
  if (findMasked(plan).some(({ isCompressed }) => isCompressed))
    for (const { name } of (await session.query(compressedTables)).rows)
      await session.query(`vacuum (analyze) ${name}`)
  const { argument = '' } = (await session.query(forced)).rows[0] ?? {}
  for (const { name, stored, isAggregate } of derived)
    await during(`refreshing ${name}`, async () => {
      if (isAggregate)
        await session.query(
          `call ${timescaledb}.refresh_continuous_aggregate('${name.replaceAll("'", "''")}', null, null${argument})`,
        )
      else await session.query(`refresh materialized view ${name}`)
      await session.query(`vacuum (analyze) ${stored}`)
      await clearStatistics(session, plan, stored)
    })
}
