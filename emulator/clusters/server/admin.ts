/** Connects to a cluster as its superuser. */
import { Client, type ClientConfig, escapeLiteral } from 'pg'
import { ClusterError } from '../errors.ts'
import { superuser } from '../installation/access-rules.ts'

/** The address for the superuser of a cluster. */
export interface AdminAddress {
  /** The folder of the Unix socket. */
  socketFolder: string
  port: number
  password: string
}

/** A private socket needs no secret. Node has no Unix sockets on Windows, so TCP and a password are used there. */
export function adminHost({ socketFolder, password }: Omit<AdminAddress, 'port'>) {
  return process.platform === 'win32' ? { host: '127.0.0.1', password } : { host: socketFolder }
}

function clientConfig({ port, ...where }: AdminAddress): ClientConfig {
  // Both are set here, because pg would otherwise read them from PGSSLMODE and PGOPTIONS. Commits of the
  // emulator must not wait for standbys: such a commit may be needed to restore them.
  const options = '-c application_name=emulator -c synchronous_commit=local'
  return { ...adminHost(where), ssl: false, port, user: superuser, database: 'postgres', options }
}

/** Connects as the superuser for the time of `job`. */
export async function asAdmin<T>(address: AdminAddress, job: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(clientConfig(address))
  // A connection that breaks between two queries emits `error`, which would end the process without a
  // listener. The next query then fails, and the caller gets its failure.
  client.on('error', () => {})
  try {
    await client.connect()
    return await job(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Sets the password of the service's user, with any character PostgreSQL can store. */
export async function changePassword(address: AdminAddress, password: string): Promise<void> {
  if (password === '' || password.includes('\0')) {
    throw new ClusterError('PostgreSQL cannot store this password: it is empty or holds a NUL character.')
  }
  await asAdmin(address, async client => {
    // A failing statement would be logged, and get-service-logs shows the log: this statement contains the password.
    await client.query('SET log_min_error_statement = panic')
    await client.query(`ALTER ROLE tsdbadmin PASSWORD ${escapeLiteral(password)}`)
  })
}
