/** Reads the schema of a database from its catalog. */
import { queryRow, queryRows, type Session } from '#postgres/session'
import { firstUserId } from '#postgres/sql'
import { databaseQueries, rightsQueries } from './databases.ts'
import { definitionQueries } from './definitions.ts'
import { renderQuery } from './object-query.ts'
import { relationQueries } from './relations.ts'
import type { Schema, SchemaObject } from './schema.ts'
import { aggregateIds, hypertableIds, timescaledbQueries } from './timescaledb.ts'

/** The format of the result must not depend on settings of the database or the role. */
const settings = [
  "search_path = ''",
  "lock_timeout = '5s'",
  "statement_timeout = '60s'",
  "timezone = 'UTC'",
  "datestyle = 'ISO'",
  "intervalstyle = 'postgres'",
  'quote_all_identifiers = off',
  'jit = off',
]

/**
 * Common tables of the query. `member` lists objects that belong to an extension or a type, `engine` the schemas of
 * TimescaleDB, `rel` the relations to describe. Chunks of a hypertable are tables that inherit from it. `described` omits
 * PostgreSQL's own objects except schemas: their 5,000 comments took half of the time.
 */
const commonTables = (hasTimescaledb: boolean) => `
  member as materialized (
    select classid, objid from pg_depend where (refclassid = 'pg_extension'::regclass and deptype = 'e')
      or (refclassid = 'pg_type'::regclass and deptype = 'i' and classid in ('pg_proc'::regclass, 'pg_cast'::regclass))),
  described as materialized (
    select distinct objoid from pg_description where objoid >= ${firstUserId} or classoid = 'pg_namespace'::regclass),
  engine as materialized (
    select oid from pg_namespace where ${hasTimescaledb} and nspname ~ '^_?timescaledb_'),
  kept_schema as materialized (
    select oid, nspname from pg_namespace
    where nspname !~ '^pg_' and nspname <> 'information_schema' and oid not in (select oid from engine)),
  hypertable(id) as materialized (${hasTimescaledb ? hypertableIds : 'select null::oid where false'}),
  aggregate(id) as materialized (${hasTimescaledb ? aggregateIds : 'select null::oid where false'}),
  rel as materialized (
    select c.* from pg_class c join kept_schema on kept_schema.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'f', 'S', 'i', 'I', 'c') and relpersistence <> 't'
      and not exists (select from member where classid = 'pg_class'::regclass and objid = c.oid)
      and not exists (select from pg_inherits where inhrelid = c.oid and inhparent in (select id from hypertable))),
  kept_type as materialized (
    select t.oid from pg_type t join kept_schema on kept_schema.oid = typnamespace
      left join pg_class c on c.oid = typrelid left join pg_type element on element.typarray = t.oid
    where element.oid is null and (t.typrelid = 0 or relkind = 'c') and t.typtype <> 'm'
      and not exists (select from member where classid = 'pg_type'::regclass and objid = t.oid))`

/** `has`: the contents of a JSON object, without the braces. */
type Row = Pick<SchemaObject, 'kind' | 'id' | 'name'> & { of: string | null; has: string }

/**
 * Reads the schema of a database from one snapshot of its catalog. Changes nothing, and waits at most 5 s for a lock.
 * The session must not be in a transaction.
 * @throws StatementError
 */
export async function readSchema(session: Session, { grants }: { grants: boolean }): Promise<Schema> {
  await session.query('begin transaction isolation level repeatable read read only')
  try {
    await session.query(settings.map(setting => `set local ${setting}`).join('; '))
    const { version, hasTimescaledb } = await queryRow<{ version: number; hasTimescaledb: boolean }>(
      session,
      `select current_setting('server_version_num')::int as version,
        exists (select from pg_extension where extname = 'timescaledb') as "hasTimescaledb"`,
    )
    const tables = [databaseQueries(version), definitionQueries, relationQueries]
    if (hasTimescaledb) tables.push(timescaledbQueries)
    if (grants) tables.push(rightsQueries)
    const byKind = tables.flatMap(table => Object.entries(table))
    const queries = byKind.map(([kind, query]) => renderQuery(kind, query, grants)).join(' union all ')
    const rows = await queryRows<Row>(session, `with ${commonTables(hasTimescaledb)} ${queries}`)
    const objects = rows.map(({ of, has, ...row }) => ({
      ...(of === null ? row : { ...row, of }),
      has: JSON.parse(`{${has}}`),
    }))
    return { grants, objects }
  } finally {
    await session.attempt('rollback')
  }
}
