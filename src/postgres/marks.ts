import type pg from 'pg'

/** A moment that the database of a preview keeps for later runs: when its connection was last handed out. */
export type Mark = 'handed_out_at'

/**
 * A mark is a large object, known by its comment. Every role may make one, and it is no part of the schema: migration
 * tools and `pg_dump --schema-only` do not see it. (A setting of the role would need a right from PostgreSQL 15 on.)
 */
const commentOf = (mark: Mark) => `managed-database-action: ${mark}`

/** Those of the mark that this role may read. */
const objects = (mark: Mark) => `(
  select objoid as id from pg_description
    join pg_largeobject_metadata as object on object.oid = objoid and pg_has_role(lomowner, 'usage')
    where classoid = 'pg_largeobject'::regclass and description = '${commentOf(mark)}') as objects`

/** The database's own clock, always of the same length, so that it can be written over an earlier one. */
const length = 20
const now = `convert_to(lpad(extract(epoch from clock_timestamp())::text, ${length}, '0'), 'UTF8')`

/**
 * Runs that mark at the same time wait for each other: PostgreSQL would fail all but one. A mark that a crash of the
 * server takes away is no loss, so nobody waits for the disk.
 */
const inTurn = `
  set local statement_timeout = 1000;
  set local synchronous_commit = off;
  select pg_advisory_xact_lock(hashtext('managed-database-action'));`

/** The result of the last of several statements: pg gives one for each. */
const lastOf = (results: pg.QueryResult | pg.QueryResult[]) => [results].flat().at(-1)

/** Sets a mark to the present moment of the database. Throws where that cannot be written. */
export async function writeMark(client: pg.Client, mark: Mark): Promise<void> {
  const renewed = lastOf(await client.query(`${inTurn} select lo_put(id, 0, ${now}) from ${objects(mark)}`))
  if (renewed?.rowCount) return
  const made = lastOf(
    await client.query(
      `begin; ${inTurn} select lo_from_bytea(0, ${now}) as id where not exists (select from ${objects(mark)})`,
    ),
  )
  // Without an id another run was quicker, and its mark is as new.
  const id = Number(made?.rows[0]?.id)
  await client.query(id ? `comment on large object ${id} is '${commentOf(mark)}'; commit` : 'commit')
}

/** SQL for the milliseconds since a mark was last set, by the database's clock; null where it never was. */
export const sinceMark = (mark: Mark) => `(
  select 1000 * min(extract(epoch from clock_timestamp())::float8
    - substring(encode(lo_get(id, 0, ${length}), 'escape') from '^\\d+\\.?\\d*$')::float8) from ${objects(mark)})`
