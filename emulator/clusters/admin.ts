import { Client, type ClientConfig, escapeLiteral } from 'pg'
import { ClusterError } from './errors.ts'

/** The emulator's own user in each cluster. */
export const superuser = 'postgres'

/** How to reach a cluster as its superuser. */
export interface AdminAddress {
  /** The folder of the Unix socket. */
  socketFolder: string
  port: number
  password: string
}

/** Connects as the superuser for the time of `job`. */
export async function asAdmin<T>(address: AdminAddress, job: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(clientConfig(address))
  // A connection that breaks between two queries is an event, which ends the process where nobody listens. The next
  // query fails then, and that is what counts.
  client.on('error', () => {})
  try {
    await client.connect()
    return await job(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** A private socket needs no secret. Node has no Unix sockets on Windows: there it is TCP and a password. */
function clientConfig({ socketFolder, port, password }: AdminAddress): ClientConfig {
  const place = process.platform === 'win32' ? { host: '127.0.0.1', password } : { host: socketFolder }
  // Both are set here, because pg would otherwise take them from PGSSLMODE and PGOPTIONS.
  // What the emulator writes must not wait for standbys: it may be what brings them back.
  const options = '-c application_name=emulator -c synchronous_commit=local'
  return { ...place, ssl: false, port, user: superuser, database: 'postgres', options }
}

/** Sets the password of the service's user, with any character PostgreSQL can store. */
export async function changePassword(address: AdminAddress, password: string): Promise<void> {
  if (password === '' || password.includes('\0')) {
    throw new ClusterError('PostgreSQL cannot store this password: it is empty or holds a NUL character.')
  }
  await asAdmin(address, async client => {
    // A failing statement is written to the log, which get-service-logs shows: this one holds the password.
    await client.query('SET log_min_error_statement = panic')
    await client.query(`ALTER ROLE tsdbadmin PASSWORD ${escapeLiteral(password)}`)
  })
}
