// Checks databases of the quickstart.

import { access } from 'node:fs/promises'
import pg from 'pg'

/** Opens a session with the `database_url` of a step's outputs. */
export async function openSession(databaseUrl: string): Promise<pg.Client> {
  // libpq's `require` encrypts and accepts any certificate; node-postgres alone would treat it as `verify-full`.
  const client = new pg.Client({ connectionString: `${databaseUrl}&uselibpqcompat=true` })
  // The database may be stopped before the session is closed.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Why sessions are refused; undefined if one can be opened. */
export async function readRefusal(databaseUrl: string): Promise<string | undefined> {
  try {
    const client = await openSession(databaseUrl)
    await client.end()
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

/** The encryption of the session as the server reports it; undefined without encryption. */
export async function readEncryption(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ version: string; cipher: string }>(
    'SELECT version, cipher FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl',
  )
  return rows[0] && `${rows[0].version}, ${rows[0].cipher}`
}

/** The process and folder of a database, to check later that they are gone. */
export interface Traces {
  pid: number
  folder: string
}

export async function readTraces(client: pg.Client): Promise<Traces> {
  const { rows } = await client.query<Traces>(
    `SELECT pid, current_setting('data_directory') AS folder
     FROM pg_stat_activity WHERE backend_type = 'checkpointer'`,
  )
  if (!rows[0]) throw new Error('PostgreSQL names no checkpointer.')
  return rows[0]
}

/** The remains of a deleted database. */
export async function findRemains({ pid, folder }: Traces): Promise<string[]> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  )
  return [...(isRunning(pid) ? [`process ${pid}`] : []), ...(isThere ? [folder] : [])]
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
