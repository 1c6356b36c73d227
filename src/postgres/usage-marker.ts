/** The usage marker: the time when the connection was last published, stored in the database for later runs. */
import type pg from 'pg'

/**
 * The usage marker is a large object, known by this comment, which keeps an older term. Every role may create one, and
 * it is not part of the schema: migration tools and `pg_dump --schema-only` ignore it. (Since PostgreSQL 15, a setting
 * of the role would need a special right.)
 */
const comment = 'managed-database-action: handed_out_at'

/** SQL for the usage markers that this role may read. */
const markers = `(
  select objoid as id from pg_description
    join pg_largeobject_metadata as object on object.oid = objoid and pg_has_role(lomowner, 'usage')
    where classoid = 'pg_largeobject'::regclass and description = '${comment}') as objects`

/** Characters of a time. The length is constant, so that a new time overwrites all of an earlier one. */
const timeLength = 20

/** SQL for the time by the database's clock. */
const currentTime = `convert_to(lpad(extract(epoch from clock_timestamp())::text, ${timeLength}, '0'), 'UTF8')`

/**
 * SQL that makes concurrent writers wait: without the lock, PostgreSQL would fail all but one. The commit does not wait
 * for the disk, since a marker lost in a crash does no harm.
 */
const takeLock = `
  set local statement_timeout = 1000;
  set local synchronous_commit = off;
  select pg_advisory_xact_lock(hashtext('managed-database-action'));`

/** The result of the last statement. pg returns a list if the text has several statements. */
const lastResult = (results: pg.QueryResult | pg.QueryResult[]) => [results].flat().at(-1)

/** Sets the marker to the current time of the database. Throws if the role cannot write it. */
export async function writeUsageMarker(client: pg.Client): Promise<void> {
  const updated = lastResult(
    await client.query(`${takeLock} select lo_put(id, 0, ${currentTime}) from ${markers}`),
  )
  if (updated?.rowCount) return
  const created = lastResult(
    await client.query(
      `begin; ${takeLock} select lo_from_bytea(0, ${currentTime}) as id where not exists (select from ${markers})`,
    ),
  )
  // No id: another run was faster, and its marker is just as recent.
  const id = Number(created?.rows[0]?.id)
  await client.query(id ? `comment on large object ${id} is '${comment}'; commit` : 'commit')
}

/** SQL for the milliseconds since the marker was last set, by the database's clock; null if it does not exist. */
export const sinceUsageMarker = `(
  select 1000 * min(extract(epoch from clock_timestamp())::float8
    - substring(encode(lo_get(id, 0, ${timeLength}), 'escape') from '^\\d+\\.?\\d*$')::float8) from ${markers})`
