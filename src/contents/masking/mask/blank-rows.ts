/** Inserts rows without data into empty tables, for ANALYZE to read. */
import { queryTexts, type Session } from '#postgres/session'
import { quotedName } from '../plan/catalog.ts'
import { findDropped, type Plan } from '../plan/plan.ts'
import { dropRows } from './drop-rows.ts'
import { anyShape } from './shape-statistics.ts'

/** The first version that can clear statistics (PostgreSQL 18 release notes). */
export const versionWithStatisticsClearing = 180_000

/** SQL for the rest of an INSERT with the smallest valid values of a table's columns, and one given value. */
export const blankRowOf = (table: string, given = { column: 'null::name', value: 'null' }) => `(
  select case when count(*) = 0 then 'default values'
    else format('(%s) values (%s)', string_agg(quote_ident(name), ', '), string_agg(quote_nullable(value), ', ')) end
  from (select attname, made.value from pg_attribute join pg_type as type on type.oid = atttypid, lateral (select case
      when typname in ('json', 'jsonb') then 'null' when typname = 'uuid' then repeat('0', 32) when typname = 'xml' then '<a/>'
      when typname in ('geometry', 'geography') then ${anyShape}
      when typname in ('time', 'timetz') then '0:0' when typtype = 'm' then '{}' when typcategory in ('N', 'T') then '0' when typcategory = 'B' then 'false' when typcategory = 'D' then 'epoch'
      when typcategory = 'A' then '{}' when typcategory = 'R' then 'empty' when typcategory = 'I' then '0.0.0.0'
      when typcategory = 'E' then (select enumlabel from pg_enum where enumtypid = type.oid order by enumsortorder limit 1)
      else '' end) as made(value)
    where attrelid = ${table} and attnum > 0 and not attisdropped and attidentity = '' and not atthasdef
      and (attnotnull or typname in ('geometry', 'geography')) and attname is distinct from ${given.column}
    union all select ${given.column}, ${given.value} where ${given.column} is not null) as entry(name, value))`

/**
 * Inserts a row for ANALYZE to read. Before PostgreSQL 18, ANALYZE does not replace the statistics of an empty table or
 * of a materialized view over it. A constraint may refuse the row. `dropBlankRows` deletes it.
 */
export async function insertBlankRows(session: Session, plan: Plan): Promise<void> {
  if (plan.version >= versionWithStatisticsClearing) return
  for (const name of findDropped(plan).map(quotedName)) {
    const [blankRow] = await queryTexts(session, `select ${blankRowOf('$1::regclass')} as row`, [name])
    await session.attempt(`insert into ${name} ${blankRow}`)
  }
}

export async function dropBlankRows(session: Session, plan: Plan): Promise<void> {
  if (plan.version >= versionWithStatisticsClearing || findDropped(plan).length === 0) return
  await dropRows(session, plan)
  for (const { name, isAggregate } of plan.derived)
    if (!isAggregate) await session.query(`refresh materialized view ${name}`)
}
