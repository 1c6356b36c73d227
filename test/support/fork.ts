/** Prepares and reads databases of forks in scenarios. */
import type pg from 'pg'
import { expect } from 'vitest'
import { parseKeepActive } from '#contents/quarantine/keep-active'
import { quarantine } from '#contents/quarantine/quarantine'
import { withSession } from '#postgres/session'
import type { StepResult } from '../../tools/runner/run-step.ts'
import { openSession, runStatements } from './run-statements.ts'
import type { Workbench } from './workbench.ts'

export type Outputs = Record<string, string | undefined>
type Request = Partial<Parameters<typeof quarantine>[1]>

const never = new AbortController().signal

export interface Login {
  user?: string
  password?: string
  database?: string
  /** Settings of the session, as command-line options of a server: `-c statement_timeout=0`. */
  options?: string
}

/** The connection in a step's outputs, as its owner by default. */
export function connectionOf(outputs: Outputs, login: Omit<Login, 'options'> = {}) {
  const { host = '', port, user = '', password = '', database = '' } = outputs
  return { host, port: Number(port), user, password, database, sslmode: 'require', ...login }
}

function configOf({ host, port, ...owner }: Outputs, login: Login = {}) {
  const { user, password, database, options } = { ...owner, ...login }
  const address = { host, port: Number(port), ssl: { rejectUnauthorized: false } }
  return { ...address, user, password, database, options } as pg.ClientConfig
}

/** A client of one of the bench's databases, as its owner by default. */
export const connectTo = (outputs: Outputs, login?: Login): Promise<pg.Client> =>
  openSession(configOf(outputs, login))

/** Runs statements as the owner or another role. Returns the rows of the last statement. */
export const runSql = (outputs: Outputs, sql: string, login?: Login) =>
  runStatements(configOf(outputs, login), sql)

/** The folders of sockets, by the connection details of services. A port may be used again, with another password. */
const socketFolders = new Map<string, string>()

/** The superuser, at the socket of the emulator's own connections. */
async function superuserOf(outputs: Outputs, database = outputs.database): Promise<pg.ClientConfig> {
  const key = `${outputs.port} ${outputs.password}`
  const sql = "SELECT trim(current_setting('unix_socket_directories'), '\"') AS host"
  const host = socketFolders.get(key) ?? (await runSql(outputs, sql))[0].host
  socketFolders.set(key, host)
  return { host, port: Number(outputs.port), user: 'postgres', database }
}

export const connectAsSuperuser = async (outputs: Outputs, database?: string): Promise<pg.Client> =>
  await openSession(await superuserOf(outputs, database))

/** Runs statements as the superuser. */
export const runAsSuperuser = async (outputs: Outputs, sql: string, database?: string) =>
  await runStatements(await superuserOf(outputs, database), sql)

/** SQL that writes the note of a preview into its database. */
export const noteOfPreview = (serviceId: string) =>
  `select lo_unlink(objoid) from pg_description where description = 'managed-database-action: preview';
   do $$ declare id oid := lo_from_bytea(0, convert_to('{"service_id": "${serviceId}"}', 'utf8'));
   begin execute format('comment on large object %s is %L', id, 'managed-database-action: preview'); end $$`

export async function createService(bench: Workbench): Promise<Outputs> {
  const { outputs } = await bench.runSuccessfully({
    operation: 'create-service',
    wait_for_connection: 'true',
  })
  return outputs
}

/** Checks that a step has reported its new fork, and in its outputs, state and these texts no connection details. */
export function expectNoConnectionDetails({ outputs, state }: StepResult, ...texts: string[]): void {
  expect(outputs).toMatchObject({ created: 'true', service_id: expect.any(String) })
  const details = ['host', 'port', 'password', 'initial_password', 'database_url', 'jdbc_url']
  expect(Object.keys(outputs).filter(name => details.includes(name))).toEqual([])
  const written = [JSON.stringify(outputs), JSON.stringify(state), ...texts]
  expect(written.join('\n')).not.toMatch(/127\.0\.0\.1|endpoint|password/)
}

/** The role that subscribes to a publisher. */
export const reader = { user: 'reader', password: 'production-2' }

/** A service with a published table of orders. */
export async function createPublisher(bench: Workbench): Promise<Outputs> {
  const publisher = await createService(bench)
  const { service_id = '' } = publisher
  await runAsSuperuser(publisher, 'ALTER SYSTEM SET wal_level = logical')
  await bench.runSuccessfully({ operation: 'stop-service', service_id })
  await bench.runSuccessfully({ operation: 'start-service', service_id, wait_for_connection: 'true' })
  await runAsSuperuser(
    publisher,
    `CREATE ROLE ${reader.user} LOGIN REPLICATION PASSWORD '${reader.password}'`,
  )
  await runSql(
    publisher,
    'CREATE TABLE orders (n int); GRANT SELECT ON orders TO reader; CREATE PUBLICATION orders FOR TABLE orders',
  )
  return publisher
}

/** Subscribes a service to the orders of a publisher, as the owner of the service. */
export async function subscribe(service: Outputs, { host, port }: Outputs): Promise<void> {
  await runAsSuperuser(service, 'GRANT pg_create_subscription TO tsdbadmin')
  await runSql(service, 'CREATE TABLE orders (n int)')
  const login = `user=${reader.user} password=${reader.password}`
  await runSql(
    service,
    `CREATE SUBSCRIPTION orders CONNECTION 'host=${host} port=${port} dbname=tsdb ${login}' PUBLICATION orders`,
  )
}

export async function createFork(bench: Workbench, parent: Outputs): Promise<Outputs> {
  const { outputs } = await bench.runSuccessfully({
    operation: 'fork-service',
    service_id: parent.service_id as string,
    fork_strategy: 'NOW',
    wait_for_connection: 'true',
  })
  return outputs
}

/** The request to keep active the objects that `keep_active` names. */
export function keepActiveRequest(text: string): Request {
  const parsed = parseKeepActive(text)
  if ('expected' in parsed) throw new Error(parsed.expected)
  return { keepActive: parsed.value }
}

/** Quarantines a database as its owner; keeps nothing active by default. */
export function quarantineDatabase(outputs: Outputs, request: Request = {}, login: Login = {}) {
  const connection = connectionOf(outputs, login)
  return quarantine(
    (use, name = connection.database) =>
      withSession({ ...connection, database: name }, { timeout: 30_000, signal: never }, use),
    { keepActive: { kinds: [], names: [] }, ...request },
  )
}
