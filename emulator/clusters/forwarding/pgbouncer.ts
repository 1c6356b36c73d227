/** Renders the configuration of PgBouncer. */
import { superuser } from '../installation/access-rules.ts'

/** The settings of a pooler. */
interface PoolerSettings {
  /** The address for clients. */
  host: string
  port: number
  /** The socket of the database. */
  socketFolder: string
  databasePort: number
  /** Upper limit for server connections. */
  connections: number
  /** The file with the users that PgBouncer cannot look up in the database. */
  userFile: string
  keyFile: string
  certificateFile: string
}

/**
 * The configuration of PgBouncer. It looks up passwords in the database at each login, except the owner's
 * (`renderUsers`).
 */
export function renderConfiguration(settings: PoolerSettings): string {
  const { host, port, socketFolder, databasePort, connections } = settings
  const query =
    'SELECT rolname, rolpassword FROM pg_catalog.pg_authid WHERE rolname = $1 AND rolcanlogin AND NOT rolsuper ' +
    "AND coalesce(rolvaliduntil, 'infinity') > pg_catalog.now()"
  const options = {
    listen_addr: host,
    listen_port: port,
    unix_socket_dir: '',
    pool_mode: 'transaction',
    default_pool_size: connections,
    max_db_connections: connections,
    max_client_conn: 1000,
    auth_type: 'scram-sha-256',
    auth_file: settings.userFile,
    auth_query: query,
    stats_users: 'tsdbadmin',
    client_tls_sslmode: 'require',
    client_tls_key_file: settings.keyFile,
    client_tls_cert_file: settings.certificateFile,
    // Java drivers send this parameter. All others are refused, since a shared server connection could not apply them.
    ignore_startup_parameters: 'extra_float_digits',
    server_login_retry: '0.2',
    log_connections: 0,
    log_disconnections: 0,
    log_stats: 0,
  }
  const place = `host='${socketFolder.replaceAll("'", "''")}' port=${databasePort} auth_user=${superuser}`
  const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}`)
  return `[databases]\n* = ${place}\n[pgbouncer]\n${lines.join('\n')}\n`
}

/**
 * The users that PgBouncer must know without a lookup: the owner, because its admin database `pgbouncer` does
 * no lookups, and the superuser, who reads the others' passwords and has an unguessable one.
 */
export function renderUsers(ownerSecret: string, superuserPassword: string): string {
  const line = (name: string, secret: string) => `"${name}" "${secret.replaceAll('"', '""')}"\n`
  return line('tsdbadmin', ownerSecret) + line(superuser, superuserPassword)
}
