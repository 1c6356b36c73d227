/** Checks that the other databases of a service contain nothing to mask. */
import { isRefusedByServer } from '#postgres/login-refused'
import { type OpenSession, queryValue, type Session, StatementError } from '#postgres/session'
import { isOfExtension } from '#postgres/sql'
import { MaskingError } from './mask/work.ts'

/** Databases that users created or may have changed, including the templates of new ones. */
const otherDatabases = `
  select datname::text as name, has_database_privilege(pg_database.oid, 'connect') as "mayConnect" from pg_database
    join pg_roles on pg_roles.oid = datdba
  where datallowconn and datname <> current_database()
    -- Databases of the service itself may refuse connections.
    and (not rolsuper or has_database_privilege(pg_database.oid, 'connect'))
  order by datname`

/** Objects that could contain a value. Objects of a superuser belong to the service. */
const contentQuery = `
  select exists (select from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_roles on pg_roles.oid = relowner
      where relkind in ('r', 'p', 'm', 'f') and nspname not in ('pg_catalog', 'information_schema') and nspname !~ '^pg_(toast|temp)'
        and not ${isOfExtension("'pg_class'::regclass", 'pg_class.oid')}
        and (not rolsuper or current_setting('is_superuser')::bool))
    or exists (select from pg_largeobject_metadata join pg_roles on pg_roles.oid = lomowner
      where not rolsuper or current_setting('is_superuser')::bool)`

/** The reason why a database counts as filled; undefined if it is empty. */
async function findContentReason(open: OpenSession, name: string): Promise<string | undefined> {
  try {
    const isFilled = await open(session => queryValue<boolean>(session, contentQuery), name)
    return isFilled ? 'also contains tables or large objects' : undefined
  } catch (error) {
    if (isRefusedByServer(error)) return 'cannot be opened'
    throw error
  }
}

/** Rolls back prepared transactions, whose rows can be neither masked nor searched, but committed later. */
async function rollBackPrepared(session: Session): Promise<void> {
  const prepared = await session.query(
    "select gid, format('rollback prepared %L', gid) as undo from pg_prepared_xacts",
  )
  for (const { gid, undo } of prepared.rows) {
    const answer = await session.attempt(String(undo))
    if (answer instanceof StatementError)
      throw new MaskingError(
        `the prepared transaction ${gid} cannot be rolled back in the copy (SQLSTATE ${answer.code}): its rows can be neither masked nor searched`,
        'end it in the parent (COMMIT PREPARED, ROLLBACK PREPARED)',
      )
  }
}

/** Checks that the other databases of a service are empty, because masking changes only one. @throws MaskingError */
export async function assertOthersAreEmpty(open: OpenSession): Promise<void> {
  const rows = await open(async session => {
    await rollBackPrepared(session)
    return (await session.query(otherDatabases)).rows
  })
  for (const { name, mayConnect } of rows) {
    const reason = mayConnect ? await findContentReason(open, String(name)) : 'cannot be opened'
    if (reason !== undefined)
      throw new MaskingError(
        `the database ${name} of the service ${reason}, and only one is masked`,
        `drop ${name} in the parent, or mask a service without it`,
      )
  }
}
