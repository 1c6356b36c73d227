/** One PostgreSQL server for all files of a worker that need only databases of their own. */

import type pg from 'pg'
import { openClusters } from '../../emulator/clusters/open-clusters.ts'
import { connectTo, type Outputs, runAsSuperuser, runSql } from './fork.ts'
import { ownPorts } from './own-ports.ts'

/** Connection details, in the form of the outputs of a step that creates a service. */
type Login = Record<'host' | 'port' | 'user' | 'password' | 'database', string>

let server: Promise<Login> | undefined

async function start(): Promise<Login> {
  const password = 'shared'
  // A server of another version of PostgreSQL (test/README.md).
  const given = process.env.POSTGRES_PORT
  if (given !== undefined)
    return { host: 'localhost', port: given, user: 'tsdbadmin', password, database: 'tsdb' }
  const programs = process.env.TIMESCALEDB_BIN
  const clusters = await openClusters({
    ports: ownPorts,
    snapshotAfter: 3_600_000,
    ...(programs !== undefined && { programs }),
  })
  const { host, port } = await clusters.createService('shared', password)
  const login = { host, port: String(port), user: 'tsdbadmin', password, database: 'tsdb' }
  // It runs each minute, so its counts and locks would depend on the duration of the tests.
  await runAsSuperuser(login, 'ALTER SYSTEM SET autovacuum = off')
  await runAsSuperuser(login, 'SELECT pg_reload_conf()')
  return login
}

/**
 * The server of a service, for test files that create their own databases in it. All files of a worker share one server,
 * which ends with the worker.
 */
export function shareServer(): Promise<Login> {
  server ??= start()
  return server
}

let session: Promise<pg.Client> | undefined

/** Runs a statement about databases, on the shared server in one session: opening another one takes as long as the statement. */
async function administer(service: Outputs, sql: string): Promise<void> {
  if (service !== (await server)) return void (await runSql(service, sql))
  session ??= connectTo(service)
  await (await session).query(sql)
}

/**
 * Creates a database. Copying files takes half the time of copying blocks through the WAL. Another server may be
 * PostgreSQL 14, which does not know this strategy.
 */
export async function addDatabase(service: Outputs, database: string, options = ''): Promise<Outputs> {
  const strategy = process.env.POSTGRES_PORT === undefined ? 'strategy file_copy' : ''
  await administer(service, `create database ${database} ${options} ${strategy}`)
  return { ...service, database }
}

/** Drops a database, with its sessions. */
export const dropDatabase = (service: Outputs, { database }: Outputs): Promise<void> =>
  administer(service, `drop database ${database} with (force)`)
