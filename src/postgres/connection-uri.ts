import type { Connection } from './connection.ts'

/** How to connect, as a URI says it. */
export interface UriConnection extends Connection {
  password: string
  /** Parameters of the URI that are not heeded here. */
  ignored: string[]
}

const sslmodes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/** Parameters that are read: those of the parts of the URI, and of its encryption. */
const parts = ['host', 'port', 'user', 'password', 'dbname', 'sslmode', 'sslrootcert']

/** User, password, host and port, path and query of a URI, as they are written. A password may hold any sign but `@/?#`. */
const uri =
  /^postgres(?:ql)?:\/\/(?:([^@:/?#]*)(?::([^@/?#]*))?@)?(\[[\da-f:.%]+\]|[^@:/?#[\]]*)(?::(\d*))?(?:\/([^?#]*))?(?:\?([^#]*))?$/i

/** Undefined for an escape that is none. */
function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The parameters after the question mark; a plus is a plus, other than in a form. */
function readParameters(query = ''): Map<string, string> {
  const pairs = query.split('&').filter(pair => pair !== '')
  return new Map(
    pairs.map(pair => {
      const [name = '', ...value] = pair.split('=')
      return [decode(name) ?? name, decode(value.join('=')) ?? '']
    }),
  )
}

/** What libpq takes for what a URI leaves out, but for user and host: those of the machine are never meant here. */
const usual = { port: '5432', sslmode: 'prefer' }

/**
 * Reads a connection URI as libpq does (PostgreSQL documentation, section 34.1.1.2). Undefined where it is none, names
 * no user or no single host, or has a part that cannot be.
 */
export function parseConnectionUri(text: string): UriConnection | undefined {
  const match = uri.exec(text)
  if (match === null) return undefined
  const [, writtenUser, writtenPassword, writtenHost = '', writtenPort, path, query] = match
  const parameters = readParameters(query)
  const pick = (name: string, written: string | undefined) =>
    parameters.get(name) ?? (decode(written) || undefined)
  const user = pick('user', writtenUser)
  const host = pick('host', writtenHost)?.replace(/^\[(.*)\]$/, '$1')
  const port = Number(pick('port', writtenPort) ?? usual.port)
  const authority = parameters.get('sslrootcert') || undefined
  // With the authorities of the system libpq takes no weaker mode.
  const isOfSystem = authority === 'system'
  const sslmode = isOfSystem ? 'verify-full' : (parameters.get('sslmode') ?? usual.sslmode)
  // Several hosts stand between commas, a folder with a socket begins with a slash.
  const isHost = host !== undefined && /^[\w.:%-]+$/.test(host)
  if (user === undefined || !isHost || !sslmodes.includes(sslmode)) return undefined
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return undefined
  if ([writtenUser, writtenPassword, path].some(one => one !== undefined && decode(one) === undefined))
    return undefined
  return {
    ...{ host, port, user, sslmode },
    ...(authority !== undefined && !isOfSystem && { rootCertificate: authority }),
    password: pick('password', writtenPassword) ?? '',
    database: pick('dbname', path) ?? user,
    ignored: [...parameters.keys()].filter(name => !parts.includes(name)),
  }
}
