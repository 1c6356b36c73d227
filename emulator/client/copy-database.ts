/** Copies the database of a service on the same server, for unit tests: faster than a fork, and no call of the API. */
import { randomBytes } from 'node:crypto'
import type { DatabaseCopy, ReadyService } from '../library-types.ts'
import { configOf, quoteName, withClient } from './session.ts'

type Source = Pick<ReadyService, 'host' | 'port' | 'user' | 'password' | 'database' | 'databaseUrl'>

/** The database `postgres`: a session in a database can neither copy nor drop that database. */
const maintenanceConfig = ({ host, port, user, password }: Source) =>
  configOf({ host, port, user, password, database: 'postgres' })

/** Whether PostgreSQL refused with `object_in_use`. */
const isInUse = (error: unknown) => error instanceof Error && 'code' in error && error.code === '55006'

/** Needs no retry: PostgreSQL itself waits 5 s for sessions that are about to end. */
async function createCopy(source: Source, name: string): Promise<void> {
  const sql = `CREATE DATABASE ${quoteName(name)} TEMPLATE ${quoteName(source.database)} STRATEGY file_copy`
  await withClient(maintenanceConfig(source), query => query(sql)).catch(cause => {
    if (!isInUse(cause)) throw cause
    const advice = 'Close every connection to it before copyDatabase'
    throw new Error(`the database ${source.database} cannot be copied: a session is open in it. ${advice}`, {
      cause,
    })
  })
}

/**
 * A copy of all schemas and rows as a further database of the same server. Roles and the server's settings are shared with the
 * service.
 *
 * @throws if a session stays open in the database of the service
 */
export async function copyDatabase(source: Source): Promise<DatabaseCopy> {
  const database = `${source.database}_copy_${randomBytes(6).toString('hex')}`
  await createCopy(source, database)
  const url = new URL(source.databaseUrl)
  url.pathname = `/${database}`
  const remove = () =>
    withClient(maintenanceConfig(source), async query => {
      await query(`DROP DATABASE IF EXISTS ${quoteName(database)} WITH (FORCE)`)
    })
  return { database, databaseUrl: url.href, delete: remove, [Symbol.asyncDispose]: remove }
}
