/** Usage markers: times that the database of a preview stores for later runs. */
import type pg from 'pg'

/** A time stored in the database of a preview for later runs: when its connection was last published. */
export type UsageMarker = 'handed_out_at'

/**
 * A usage marker is a large object, known by its comment. Every role may create one, and it is not part of
 * the schema: migration tools and `pg_dump --schema-only` ignore it. (Since PostgreSQL 15, a setting of the
 * role would need a special right.)
 */
const commentOf = (mark: UsageMarker) => `managed-database-action: ${mark}`

/** The marker's objects that this role may read. */
const objects = (mark: UsageMarker) => `(
  select objoid as id from pg_description
    join pg_largeobject_metadata as object on object.oid = objoid and pg_has_role(lomowner, 'usage')
    where classoid = 'pg_largeobject'::regclass and description = '${commentOf(mark)}') as objects`

/** The database's own clock, always with the same length, so that it can overwrite an earlier value. */
const length = 20
const now = `convert_to(lpad(extract(epoch from clock_timestamp())::text, ${length}, '0'), 'UTF8')`

/**
 * A lock for runs that write at the same time: PostgreSQL would fail all but one. The commit does not wait for the
 * disk, since a marker lost in a crash does no harm.
 */
const inTurn = `
  set local statement_timeout = 1000;
  set local synchronous_commit = off;
  select pg_advisory_xact_lock(hashtext('managed-database-action'));`

/** The result of the last statement: pg returns one for each. */
const lastOf = (results: pg.QueryResult | pg.QueryResult[]) => [results].flat().at(-1)

/** Sets a marker to the current time of the database. Throws if the role cannot write it. */
export async function writeUsageMarker(client: pg.Client, mark: UsageMarker): Promise<void> {
  const renewed = lastOf(await client.query(`${inTurn} select lo_put(id, 0, ${now}) from ${objects(mark)}`))
  if (renewed?.rowCount) return
  const made = lastOf(
    await client.query(
      `begin; ${inTurn} select lo_from_bytea(0, ${now}) as id where not exists (select from ${objects(mark)})`,
    ),
  )
  // No id: another run was faster, and its marker is just as recent.
  const id = Number(made?.rows[0]?.id)
  await client.query(id ? `comment on large object ${id} is '${commentOf(mark)}'; commit` : 'commit')
}

/** SQL for the milliseconds since a marker was last set, by the database's clock; null if it does not exist. */
export const sinceUsageMarker = (mark: UsageMarker) => `(
  select 1000 * min(extract(epoch from clock_timestamp())::float8
    - substring(encode(lo_get(id, 0, ${length}), 'escape') from '^\\d+\\.?\\d*$')::float8) from ${objects(mark)})`
