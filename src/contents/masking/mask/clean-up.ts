/** Vacuums masked tables, compresses their chunks, and refreshes the views that are computed from them. */
import type { Session } from '#postgres/session'
import { quotedName } from '../plan/catalog.ts'
import { quoteText } from '../plan/expressions.ts'
import type { Plan, PlannedTable } from '../plan/planned.ts'
import { findShortened } from './drop-chunks.ts'
import { aggregatesQuery } from './drop-rows.ts'
import { findMasked } from './update.ts'
import { during } from './work.ts'

const compressedChunks = `
  select format('%I.%I', chunk_schema, chunk_name) as chunk from timescaledb_information.chunks
  where is_compressed and hypertable_schema = $1 and hypertable_name = $2`

/** Vacuums a table, so that no row version with an original remains. */
export async function vacuumTable(session: Session, table: PlannedTable): Promise<void> {
  await session.query(`vacuum ${quotedName(table)}`)
}

/** Compresses the chunks of a hypertable. ANALYZE reads no rows in a compressed chunk, so it must run before. */
export async function compressChunks(session: Session, plan: Plan, table: PlannedTable): Promise<void> {
  const found = await session.query(compressedChunks, [table.schema, table.name])
  for (const { chunk } of found.rows)
    await session.query(
      `select ${plan.timescaledb}.compress_chunk($1::regclass, if_not_compressed => true)`,
      [chunk],
    )
  await vacuumTable(session, table)
}

const compressedTables = `
  select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
  where attname = '_ts_meta_count' and relkind = 'r' and relnamespace = '_timescaledb_internal'::regnamespace
    and pg_has_role(relowner, 'usage')`

/**
 * The argument `force` also refreshes ranges without recorded changes, which removes values of rows deleted long ago.
 * TimescaleDB before 2.18 has no such argument.
 */
const forceArgument = `
  select case when 'force' = any (proargnames) then ', force => true' else '' end as argument
  from pg_proc where proname = 'refresh_continuous_aggregate'`

/** Refreshes materialized views and continuous aggregates, each after those that it reads. */
export async function refreshDerived(session: Session, plan: Plan): Promise<void> {
  const { derived, timescaledb } = plan
  if (findMasked(plan).some(({ isCompressed }) => isCompressed))
    for (const { name } of (await session.query(compressedTables)).rows) await session.query(`vacuum ${name}`)
  const { argument = '' } = (await session.query(forceArgument)).rows[0] ?? {}
  const ids = findShortened(plan).map(({ id }) => id)
  const ofShortened = ids.length > 0 ? (await session.query(aggregatesQuery, [ids])).rows : []
  for (const { name, stored, isAggregate } of derived)
    await during(`refreshing ${name}`, async () => {
      // Tiered rows of a shortened hypertable must not come back into its aggregates.
      if (ofShortened.some(aggregate => aggregate.name === name))
        await session.attempt('set timescaledb.enable_tiered_reads = off')
      if (isAggregate)
        await session.query(
          `call ${timescaledb}.refresh_continuous_aggregate(${quoteText(name)}, null, null${argument})`,
        )
      else await session.query(`refresh materialized view ${name}`)
      await session.query(`vacuum ${stored}`)
      if (ofShortened.length > 0) await session.attempt('reset timescaledb.enable_tiered_reads')
    })
}
