/** Parts of SQL that several queries share. */

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The first id of objects that users create (PostgreSQL, access/transam.h). */
export const firstUserId = 16384

/** The first id of jobs that users create. TimescaleDB's own jobs belong to the service. */
export const firstUserJob = 1000

/** The ids of PostgreSQL's own schemas. */
export const systemSchemas = "('pg_catalog'::regnamespace, 'information_schema'::regnamespace)"

/** A condition: an extension owns the object. `catalog` and `id` are SQL, as in the columns of pg_depend. */
export const isOfExtension = (catalog: string, id: string) =>
  `exists (select from pg_depend where classid = ${catalog} and objid = ${id} and deptype = 'e')`

const schemaOf = (extension: string) =>
  `(select quote_ident(nspname) from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = '${extension}')`

/** The schema of TimescaleDB's functions, quoted for SQL; null if TimescaleDB is not installed. */
export const timescaledbSchema = schemaOf('timescaledb')

/** The schema of the extension pg_stat_statements, quoted for SQL; null if it is inactive. */
export const pgStatStatementsSchema = `case when current_setting('pg_stat_statements.max', true) is not null
  then ${schemaOf('pg_stat_statements')} end`

/**
 * A subquery: the large objects with a comment that this role may read, the newest first. Every role may create one. They
 * are not part of the schema, so migration tools and `pg_dump --schema-only` ignore them.
 */
export const largeObjectsWith = (comment: string) => `(
  select objoid as id from pg_description
    join pg_largeobject_metadata as object on object.oid = objoid and pg_has_role(lomowner, 'usage')
    where classoid = 'pg_largeobject'::regclass and description = '${comment}'
    order by objoid desc) as objects`
