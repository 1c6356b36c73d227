/** Reads the proxies in the environment. */
import { TransportError } from '#base/errors'

export interface NamedProxy {
  /** The address; if it is unusable, a placeholder that resolves to nothing. */
  address: string
  /** The error of each request through an unusable proxy. Hosts in NO_PROXY are not affected. */
  flaw?: TransportError
}

/** The problem with a proxy's address, without the address: it may contain a password. */
function describeFlaw(text: string): string | undefined {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return undefined
  const [, scheme] = /^([a-z][a-z0-9+.-]{0,19}):\/\//i.exec(text) ?? []
  if (scheme === undefined) return 'does not begin with http:// or https://'
  if (/^socks/i.test(scheme)) return `names a SOCKS proxy (${scheme}://), and only HTTP proxies can be used`
  return /^https?$/i.test(scheme)
    ? 'is not an address like http://proxy.example:3128'
    : `begins with ${scheme}://, not with http:// or https://`
}

/** The proxy of a variable. The lower-case variable has priority, as in undici. */
export function readProxy(environment: NodeJS.ProcessEnv, name: 'HTTP_PROXY' | 'HTTPS_PROXY'): NamedProxy {
  const lower = name.toLowerCase()
  const variable = environment[lower] === undefined ? name : lower
  const text = environment[variable] ?? ''
  const problem = text === '' ? undefined : describeFlaw(text)
  if (problem === undefined) return { address: text }
  const flaw = new TransportError(`no usable proxy: ${variable} ${problem}`, {
    neverSent: true,
    isLasting: true,
    next: `set ${variable} to the address of an HTTP proxy, like http://proxy.example:3128; list hosts that need no proxy in NO_PROXY`,
  })
  return { address: `http://${lower}.invalid`, flaw }
}
