/** Empties the tables whose rows are dropped, together with the views computed from them. */
import { queryTexts, type Session } from '#postgres/session'
import { quotedName } from '../plan/catalog.ts'
import { largeObjects } from '../plan/catalog-queries.ts'
import { findDropped, type Plan } from '../plan/plan.ts'

/** The continuous aggregates of hypertables, and the aggregates of these aggregates. */
export const aggregatesQuery = `
  with recursive stored(id) as (
    select id from _timescaledb_catalog.hypertable
      where to_regclass(format('%I.%I', schema_name, table_name))::oid::text = any ($1)
    union
    select mat_hypertable_id from stored join _timescaledb_catalog.continuous_agg on raw_hypertable_id = stored.id)
  select format('%I.%I', user_view_schema, user_view_name) as name, exists (select from pg_inherits join pg_class on pg_class.oid = inhrelid
    join _timescaledb_catalog.hypertable on to_regclass(format('%I.%I', schema_name, table_name)) = inhparent
    where relkind = 'f' and hypertable.id = mat_hypertable_id) as "isTiered"
  from _timescaledb_catalog.continuous_agg join stored on stored.id = mat_hypertable_id`

/** Truncates the tables and their continuous aggregates. The chunks of an aggregate would keep their statistics. */
export async function dropRows(session: Session, plan: Plan): Promise<void> {
  const dropped = findDropped(plan)
  // TRUNCATE of the parent would also delete the rows of a foreign partition in its other database.
  for (const part of dropped.flatMap(({ elsewhere }) => elsewhere))
    await session.query(`drop foreign table if exists ${part}`)
  if (dropped.length > 0) await session.query(`truncate ${dropped.map(quotedName).join(', ')}`)
  if (plan.timescaledb !== null)
    for (const name of await queryTexts(session, aggregatesQuery, [dropped.map(({ id }) => id)]))
      await session.query(`truncate ${name}`)
  if (plan.tables.some(table => table.kind === 'large objects' && table.dropRows))
    await session.query(`select lo_unlink(object.oid) from ${largeObjects}`)
}
