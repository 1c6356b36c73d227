import { TransportError } from '#base/errors'

/** A proxy that the environment names. */
export interface NamedProxy {
  /** Its address; if that cannot be used, one that stands for it and leads nowhere. */
  address: string
  /** Why it cannot be used: the error of each request that would go through it. Hosts in NO_PROXY still do without. */
  flaw?: TransportError
}

/** What is wrong with the address of a proxy, without showing it: there may be a password in it. */
function describeFlaw(text: string): string | undefined {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return undefined
  const [, scheme] = /^([a-z][a-z0-9+.-]{0,19}):\/\//i.exec(text) ?? []
  if (scheme === undefined) return 'does not begin with http:// or https://'
  if (/^socks/i.test(scheme)) return `names a SOCKS proxy (${scheme}://), and only HTTP proxies can be used`
  return /^https?$/i.test(scheme)
    ? 'is not an address like http://proxy.example:3128'
    : `begins with ${scheme}://, not with http:// or https://`
}

/** The proxy of a variable, whose name in lower case goes first, as undici reads it. */
export function readProxy(environment: NodeJS.ProcessEnv, name: 'HTTP_PROXY' | 'HTTPS_PROXY'): NamedProxy {
  const lower = name.toLowerCase()
  const variable = environment[lower] === undefined ? name : lower
  const text = environment[variable] ?? ''
  const problem = text === '' ? undefined : describeFlaw(text)
  if (problem === undefined) return { address: text }
  const flaw = new TransportError(`no usable proxy: ${variable} ${problem}`, {
    neverSent: true,
    isLasting: true,
    next: `set ${variable} to the address of an HTTP proxy, like http://proxy.example:3128; NO_PROXY names the hosts that are reached without it`,
  })
  return { address: `http://${lower}.invalid`, flaw }
}
