/** A connection over undici, direct or through a proxy. */
import dns from 'node:dns'
import { isIP } from 'node:net'
import { TransportError } from '#base/errors'
import { buildConnector, Client, type Dispatcher } from './undici.ts'

/** A phase of connecting, for the error of a request that was not sent. */
export interface Phase {
  /** The thing that the request still waits for. It follows `no` in a message: `usable proxy`. */
  missing: string
  /** The instruction: an imperative sentence without a full stop. */
  next: string
  /** Whether the request waits for the proxy, not for the server. */
  isProxy: boolean
}

export type Proxies = typeof import('./undici-proxies.ts')

const undiciOptions = {
  // The request's own limits apply in every phase; undici's would end some of them too late.
  headersTimeout: 0,
  // Node's default. undici would read it from node:http, which the bundle omits (tools/build/bundle.ts). The
  // bundle also omits all parsers but the HTTP/1 parser that undici uses by default.
  maxHeaderSize: 16_384,
  useMilo: false,
}

const serverPhase = {
  isProxy: false,
  next: 'check base_url and that the runner can reach it (proxy, firewall, DNS)',
}
const proxyPhase = {
  isProxy: true,
  next: 'check HTTPS_PROXY and that the proxy works; list hosts that need no proxy in NO_PROXY',
}
export const unusableProxy: Phase = { ...proxyPhase, missing: 'usable proxy' }

interface NamedProxy {
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
function readProxy(name: 'HTTP_PROXY' | 'HTTPS_PROXY'): NamedProxy {
  const lower = name.toLowerCase()
  const variable = process.env[lower] === undefined ? name : lower
  const text = process.env[variable] ?? ''
  const problem = text === '' ? undefined : describeFlaw(text)
  if (problem === undefined) return { address: text }
  const flaw = new TransportError(`no usable proxy: ${variable} ${problem}`, {
    neverSent: true,
    isLasting: true,
    next: `set ${variable} to the address of an HTTP proxy, like http://proxy.example:3128; list hosts that need no proxy in NO_PROXY`,
  })
  return { address: `http://${lower}.invalid`, flaw }
}

/** Calls `act` before a step of each request. Changing the handler is safe: undici creates one for each request. */
export function interceptStep(
  step: 'onRequestStart' | 'onRequestUpgrade',
  act: (...args: unknown[]) => void,
): Dispatcher.DispatcherComposeInterceptor {
  return dispatch => (options, handler) => {
    const original = handler[step]?.bind(handler) as ((...args: unknown[]) => void) | undefined
    handler[step] = (...args: unknown[]) => {
      act(...args)
      original?.(...args)
    }
    return dispatch(options, handler)
  }
}

/**
 * A connection to one server, for one request at a time. undici continues to connect for an abandoned request, and a
 * proxy may delay it for minutes. So abandoning a request closes its connection, which no other request shares.
 */
export class HttpConnection {
  readonly dispatcher: Dispatcher
  #phase: Phase = { ...serverPhase, missing: 'connection' }
  /** Aborting it destroys all sockets, including one that is still connecting. */
  readonly #sockets = new AbortController()

  /** @param proxies the module for the proxies of the environment; undefined for a direct connection */
  constructor(origin: string, proxies: Proxies | undefined) {
    const options = {
      connect: this.#createConnector(host => ({ ...serverPhase, missing: host })),
      ...undiciOptions,
      bodyTimeout: 0,
      allowH2: false,
    }
    this.dispatcher = proxies ? this.#openProxies(proxies, options) : new Client(origin, options)
  }

  get phase(): Phase {
    return this.#phase
  }

  /** Closes the connection for good: it sends nothing more, and no socket keeps the process alive. */
  close(): void {
    // The dispatcher is destroyed first: a request that waits for a socket would open another one.
    void this.dispatcher.destroy()
    this.#sockets.abort()
  }

  /** Connects TCP and TLS one after the other, so that an error can name the phase that did not finish. */
  #createConnector(peerOf: (host: string) => Phase): buildConnector.connector {
    let peer = peerOf('')
    const enterPhase = (waitingFor: string) => {
      this.#phase = { ...peer, missing: `${waitingFor} ${peer.missing}` }
    }
    const open = buildConnector({
      timeout: 0,
      allowH2: false,
      signal: this.#sockets.signal,
      lookup: (name, options, callback) =>
        dns.lookup(name, options, (...addresses) => {
          enterPhase('connection to')
          callback(...addresses)
        }),
    })
    return ({ servername, ...options }, callback) => {
      const { hostname, host = hostname, protocol } = options
      const isSecure = protocol === 'https:'
      peer = peerOf(host)
      enterPhase(isIP(hostname) === 0 ? 'address of' : 'connection to')
      const port = options.port || (isSecure ? '443' : '80')
      open({ ...options, port, protocol: 'http:' }, (...opened) => {
        const [error, httpSocket] = opened
        if (error || !isSecure) return callback(...opened)
        enterPhase('TLS connection to')
        return open({ ...options, ...(servername && { servername }), httpSocket }, callback)
      })
    }
  }

  #openProxies({ EnvHttpProxyAgent, Pool }: Proxies, options: Client.Options): Dispatcher {
    const unlimited = { timeout: 0, signal: this.#sockets.signal }
    const http = readProxy('HTTP_PROXY')
    const https = readProxy('HTTPS_PROXY')
    return new EnvHttpProxyAgent({
      ...options,
      httpProxy: http.address,
      httpsProxy: https.address,
      connections: 1,
      clientFactory: address => this.#openProxy(Pool, address, [http, https]),
      proxyTls: unlimited,
      requestTls: unlimited,
    })
  }

  #openProxy(Pool: Proxies['Pool'], address: URL, proxies: readonly NamedProxy[]): Dispatcher {
    const missing = `the proxy ${address.host}`
    const flaw = proxies.find(proxy => proxy.flaw && new URL(proxy.address).host === address.host)?.flaw
    const proxy = new Pool(address, {
      connect: flaw
        ? (_, callback) => callback(flaw, null)
        : this.#createConnector(() => ({ ...proxyPhase, missing })),
      ...undiciOptions,
    })
    return proxy.compose(
      interceptStep('onRequestStart', () => {
        this.#phase = { ...proxyPhase, missing: `tunnel through ${missing}` }
      }),
      interceptStep('onRequestUpgrade', (_, status) => {
        if (status === 200) this.#phase = { ...serverPhase, missing: `TLS connection through ${missing}` }
      }),
    )
  }
}
