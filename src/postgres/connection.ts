/** What it takes to connect. Host and port come from the API, the rest from the inputs. */
export interface Connection {
  host: string
  port: number
  user: string
  database: string
  sslmode: string
  /** The file of the authority that must have signed the server's certificate; without it, those that Node.js trusts. */
  rootCertificate?: string | undefined
  password?: string | undefined
}

/**
 * RFC 3986 reserves more than encodeURIComponent encodes: `!'()*` too, which shells and SQL tools trip over. A
 * password of the API may hold half a surrogate pair, for which encodeURIComponent throws.
 */
function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * A database name as the path of a URL. Characters that RFC 3986 section 3.3 and shells allow are not encoded, because
 * node-postgres decodes paths with decodeURI, which would leave them encoded. (For the same reason it misreads names
 * with one of `/?#;&$`; libpq reads all.)
 */
function encodePath(name: string): string {
  return percentEncode(name).replace(/%(?:3A|40|3D|2B|2C)/g, code => decodeURIComponent(code))
}

/** An IPv6 address stands in brackets in a URL (RFC 3986 section 3.2.2). */
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

/** A URL for the PostgreSQL JDBC driver, which takes user and password as parameters. */
export function renderJdbcUrl(connection: Connection): string {
  const { user, password, sslmode } = connection
  const query = Object.entries({ user, ...(password !== undefined && { password }), sslmode })
    .map(([name, value]) => `${name}=${percentEncode(value)}`)
    .join('&')
  return `jdbc:postgresql://${urlHost(connection.host)}:${connection.port}/${percentEncode(connection.database)}?${query}`
}
