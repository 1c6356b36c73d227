/** Parses connection URIs, and explains malformed ones. */
import type { LoginConnection } from './connection.ts'

export interface UriConnection extends LoginConnection {
  /** Parameters of the URI that the action ignores. */
  ignored: string[]
  /** The URL came sealed from an earlier step, which had connected to the database. */
  isSealed?: boolean
}

const sslmodes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/** The query parameters that the action applies; it ignores all others. */
const knownParameters = ['host', 'port', 'user', 'password', 'dbname', 'sslmode', 'sslrootcert']

/** The parts of a URI, still encoded. A password may contain any character except `@/?#`. */
const uri =
  /^postgres(?:ql)?:\/\/(?:([^@:/?#]*)(?::([^@/?#]*))?@)?(\[[\da-f:.%]+\]|[^@:/?#[\]]*)(?::(\d*))?(?:\/([^?#]*))?(?:\?([^#]*))?$/i

/** Undefined for an invalid escape. */
function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Parses the query. Unlike in a form, a plus sign does not mean a space. */
function parseParameters(query = ''): Map<string, string> {
  const pairs = query.split('&').filter(pair => pair !== '')
  return new Map(
    pairs.map(pair => {
      const [name = '', ...value] = pair.split('=')
      return [decode(name) ?? name, decode(value.join('=')) ?? '']
    }),
  )
}

/** The defaults of libpq, without its user and host: those would be the runner's own. */
const defaults = { port: '5432', sslmode: 'prefer' }

/** Why a text is not a connection URI, without any part of its password. */
interface UriProblem {
  expected: string
  got: string
}

const example = 'a connection URL like postgresql://user:password@host:5432/database?sslmode=require'

/** Explains a text that does not have the parts of a connection URI. */
function describeMismatch(text: string): UriProblem {
  const [, scheme = ''] = /^([a-z][a-z\d+.-]{0,20}):\/\//i.exec(text) ?? []
  if (scheme === '') return { expected: example, got: 'text that does not start with postgresql://' }
  if (!/^postgres(?:ql)?$/i.test(scheme))
    return { expected: example, got: `one that begins with ${scheme}://` }
  if (/^[^#]*@[^@#]*#[^@]*$/.test(text)) return { expected: example, got: 'one with a fragment after #' }
  // The last @ precedes the host. An earlier @, or the start of a path before it, belongs to the password.
  const login = text.slice(text.indexOf('//') + 2, Math.max(0, text.lastIndexOf('@')))
  return /[@/?#]/.test(login)
    ? {
        expected: `${example}, with @ / ? and # in the password written as %40 %2F %3F and %23`,
        got: 'one with such a character in its user or password',
      }
    : { expected: example, got: 'one with an unreadable host or port' }
}

function findFault(user: string, host: string, port: number, sslmode: string): UriProblem | undefined {
  if (user === '') return { expected: example, got: 'one without a user' }
  if (host === '') return { expected: example, got: 'one without a host' }
  if (host.includes(',')) return { expected: 'a connection URL with one host', got: 'one with several' }
  // A host with a slash would be the directory of a Unix socket.
  if (!/^[\w.:%-]+$/.test(host))
    return { expected: example, got: 'one whose host is neither a name nor an address' }
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    return { expected: 'a connection URL with a port from 1 to 65535', got: 'one with another port' }
  if (sslmodes.includes(sslmode)) return undefined
  const shown = /^[\w-]{1,20}$/.test(sslmode) ? `sslmode=${sslmode}` : 'another sslmode'
  return { expected: `sslmode to be ${sslmodes.slice(0, -1).join(', ')} or ${sslmodes.at(-1)}`, got: shown }
}

/** Parses a URI like libpq (documentation, 34.1.1.2). It must name a user and exactly one host, and be valid. */
export function parseConnectionUri(text: string): { value: UriConnection } | UriProblem {
  const match = uri.exec(text)
  if (match === null) return describeMismatch(text)
  const [, writtenUser, writtenPassword, writtenHost = '', writtenPort, path, query] = match
  const undecodable = Object.entries({ user: writtenUser, password: writtenPassword, database: path }).find(
    ([, part]) => part !== undefined && decode(part) === undefined,
  )
  if (undecodable)
    return {
      expected: `${example}, with % written as %25`,
      got: `one with a bare % in its ${undecodable[0]}`,
    }
  const parameters = parseParameters(query)
  const pick = (name: string, written: string | undefined) =>
    parameters.get(name) ?? (decode(written) || undefined)
  const user = pick('user', writtenUser) ?? ''
  const host = (pick('host', writtenHost) ?? '').replace(/^\[(.*)\]$/, '$1')
  const port = Number(pick('port', writtenPort) ?? defaults.port)
  const authority = parameters.get('sslrootcert') || undefined
  // With `sslrootcert=system`, libpq accepts no weaker mode.
  const usesSystemAuthorities = authority === 'system'
  const sslmode = usesSystemAuthorities ? 'verify-full' : (parameters.get('sslmode') ?? defaults.sslmode)
  const fault = findFault(user, host, port, sslmode)
  if (fault) return fault
  return {
    value: {
      host,
      port,
      user,
      sslmode,
      ...(authority !== undefined && !usesSystemAuthorities && { rootCertificate: authority }),
      password: pick('password', writtenPassword) ?? '',
      database: pick('dbname', path) ?? user,
      ignored: [...parameters.keys()].filter(name => !knownParameters.includes(name)),
    },
  }
}
