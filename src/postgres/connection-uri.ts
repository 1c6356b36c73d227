import type { Connection } from './connection.ts'

/** How to connect, as a URI says it. */
export interface UriConnection extends Connection {
  password: string
  /** Parameters of the URI that the action ignores. */
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

/** The reason why a text is no connection URI, without any part of its password. */
export interface UriProblem {
  expected: string
  got: string
}

const example = 'a connection URL like postgresql://user:password@host:5432/database?sslmode=require'

/** A text that does not have the parts of a connection URI. */
function describeMismatch(text: string): UriProblem {
  const [, scheme = ''] = /^([a-z][a-z\d+.-]{0,20}):\/\//i.exec(text) ?? []
  if (scheme === '') return { expected: example, got: 'a text that does not begin with postgresql://' }
  if (!/^postgres(?:ql)?$/i.test(scheme))
    return { expected: example, got: `one that begins with ${scheme}://` }
  if (/^[^#]*@[^@#]*#[^@]*$/.test(text)) return { expected: example, got: 'one with a fragment after #' }
  // The last @ stands before the host; another one, or the beginning of a path before it, belongs to the password.
  const login = text.slice(text.indexOf('//') + 2, Math.max(0, text.lastIndexOf('@')))
  return /[@/?#]/.test(login)
    ? {
        expected: `${example}, with @ / ? and # in the password written as %40 %2F %3F and %23`,
        got: 'one with such a character in its user or password',
      }
    : { expected: example, got: 'one whose host or port cannot be read' }
}

/** The part of a connection that is missing or wrong; undefined if there is none. */
function findFault({
  user,
  host,
  port,
  sslmode,
}: {
  user?: string | undefined
  host?: string | undefined
  port: number
  sslmode: string
}): UriProblem | undefined {
  if (user === undefined) return { expected: example, got: 'one without a user' }
  if (host === undefined) return { expected: example, got: 'one without a host' }
  if (host.includes(',')) return { expected: 'a connection URL with one host', got: 'one with several' }
  // A folder with a socket begins with a slash.
  if (!/^[\w.:%-]+$/.test(host)) return { expected: example, got: 'one whose host is no name and no address' }
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    return { expected: 'a connection URL with a port from 1 to 65535', got: 'one with another port' }
  if (sslmodes.includes(sslmode)) return undefined
  const shown = /^[\w-]{1,20}$/.test(sslmode) ? `sslmode=${sslmode}` : 'another sslmode'
  return { expected: `sslmode to be ${sslmodes.slice(0, -1).join(', ')} or ${sslmodes.at(-1)}`, got: shown }
}

/**
 * Reads a connection URI as libpq does (PostgreSQL documentation, section 34.1.1.2). A text that is none, names no user or
 * no single host, or has a part that cannot be, gives the problem.
 */
export function parseConnectionUri(text: string): { value: UriConnection } | UriProblem {
  const match = uri.exec(text)
  if (match === null) return describeMismatch(text)
  const [, writtenUser, writtenPassword, writtenHost = '', writtenPort, path, query] = match
  const broken = Object.entries({ user: writtenUser, password: writtenPassword, database: path }).find(
    ([, part]) => part !== undefined && decode(part) === undefined,
  )
  if (broken)
    return { expected: `${example}, with % written as %25`, got: `one with a bare % in its ${broken[0]}` }
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
  const fault = findFault({ user, host, port, sslmode })
  if (fault || user === undefined || host === undefined) return fault ?? describeMismatch(text)
  return {
    value: {
      ...{ host, port, user, sslmode },
      ...(authority !== undefined && !isOfSystem && { rootCertificate: authority }),
      password: pick('password', writtenPassword) ?? '',
      database: pick('dbname', path) ?? user,
      ignored: [...parameters.keys()].filter(name => !parts.includes(name)),
    },
  }
}
