/** The details of a database connection, and its rendering as a URL. */

/** Everything needed to connect. Host and port come from the API, the rest from inputs. */
export interface Connection {
  host: string
  port: number
  user: string
  database: string
  sslmode: string
  /** File with the authority that signed the server's certificate. Default: the authorities of Node.js. */
  rootCertificate?: string | undefined
  password?: string | undefined
}

/** A connection that can log in. */
export interface LoginConnection extends Connection {
  password: string
}

/**
 * RFC 3986 also reserves `!'()*`, which encodeURIComponent leaves and which shells and SQL tools misread. A
 * password of the API may contain half a surrogate pair, for which encodeURIComponent throws.
 */
function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * A database name as the path of a URL. Characters that RFC 3986 section 3.3 and shells allow are not
 * encoded, because node-postgres decodes paths with decodeURI, which would leave them encoded. (For the same
 * reason it misreads names with one of `/?#;&$`; libpq reads all names.)
 */
function encodePath(name: string): string {
  return percentEncode(name).replace(/%(?:3A|40|3D|2B|2C)/g, code => decodeURIComponent(code))
}

/** A URL has an IPv6 address in brackets (RFC 3986 section 3.2.2). */
const urlHost = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)

/** A libpq connection URI (PostgreSQL documentation, section 34.1.1.2); without a password if none is known. */
export function renderDatabaseUrl(connection: Connection): string {
  const password = connection.password === undefined ? '' : `:${percentEncode(connection.password)}`
  const userInfo = percentEncode(connection.user) + password
  const address = `${urlHost(connection.host)}:${connection.port}`
  const { database, sslmode, rootCertificate } = connection
  const trust = rootCertificate === undefined ? '' : `&sslrootcert=${percentEncode(rootCertificate)}`
  return `postgresql://${userInfo}@${address}/${encodePath(database)}?sslmode=${percentEncode(sslmode)}${trust}`
}

/** The variables of libpq, which most clients read (PostgreSQL documentation, section 34.15), and the URL for other tools. */
export function variablesOf(connection: Connection): Record<string, string> {
  const { host, port, user, password, database, sslmode, rootCertificate } = connection
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    ...(password !== undefined && { PGPASSWORD: password }),
    PGDATABASE: database,
    PGSSLMODE: sslmode,
    ...(rootCertificate !== undefined && { PGSSLROOTCERT: rootCertificate }),
    DATABASE_URL: renderDatabaseUrl(connection),
  }
}

/** A URL for the PostgreSQL JDBC driver, which takes user and password as parameters. */
export function renderJdbcUrl(connection: Connection): string {
  const { user, password, sslmode } = connection
  const query = Object.entries({ user, ...(password !== undefined && { password }), sslmode })
    .map(([name, value]) => `${name}=${percentEncode(value)}`)
    .join('&')
  return `jdbc:postgresql://${urlHost(connection.host)}:${connection.port}/${percentEncode(connection.database)}?${query}`
}
