/** A connection over undici, direct or through a proxy. */
import dns from 'node:dns'
import { isIP } from 'node:net'
import { type NamedProxy, readProxy } from './proxy-variables.ts'
import { buildConnector, Client, type Dispatcher } from './undici.ts'

/** The condition that a request waits for before it can be sent. */
export interface Phase {
  /** The missing condition, as it follows `no` in a message: `no usable proxy`. */
  missing: string
  /** The instruction: an imperative sentence without a full stop. */
  next: string
  /** Whether the request waits for the proxy, not for the server. */
  isProxy: boolean
}

type Proxies = typeof import('./undici-proxies.ts')

export interface HttpConnectionOptions {
  origin: string
  /** The module for the proxies of the environment; undefined for a direct connection. */
  proxies?: Proxies | undefined
}

const undiciOptions = {
  // The request's own limits apply in every phase; undici's would end some of them too late.
  headersTimeout: 0,
  // Node's default. undici would read it from node:http, which the bundle omits (tools/build/bundle.ts). The
  // bundle also omits all parsers but the HTTP/1 parser that undici uses by default.
  maxHeaderSize: 16_384,
  useMilo: false,
}

const ofServer = {
  isProxy: false,
  next: 'check base_url and that the runner can reach it (proxy, firewall, DNS)',
}
const ofProxy = {
  isProxy: true,
  next: 'check HTTPS_PROXY and that the proxy works; list hosts that need no proxy in NO_PROXY',
}
export const unusableProxy: Phase = { ...ofProxy, missing: 'usable proxy' }

type Step = 'onRequestStart' | 'onRequestUpgrade'

/** Calls `act` before a step of each request. (undici creates a new handler for each request.) */
export function before(
  step: Step,
  act: (...args: unknown[]) => void,
): Dispatcher.DispatcherComposeInterceptor {
  return dispatch => (options, handler) => {
    const take = handler[step]?.bind(handler) as ((...args: unknown[]) => void) | undefined
    handler[step] = (...args: unknown[]) => {
      act(...args)
      take?.(...args)
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
  #phase: Phase = { ...ofServer, missing: 'connection' }
  /** When aborted, destroys all sockets, including one that is still connecting. */
  readonly #sockets = new AbortController()

  constructor({ origin, proxies }: HttpConnectionOptions) {
    const options = {
      connect: this.#connector(host => ({ ...ofServer, missing: host })),
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
  end(): void {
    // First the requests that wait for a socket, because they would open another one.
    void this.dispatcher.destroy()
    this.#sockets.abort()
  }

  /** Connects step by step, so that an error can name the step that did not finish. */
  #connector(peerOf: (host: string) => Phase): buildConnector.connector {
    let peer = peerOf('')
    const enter = (waitingFor: string) => {
      this.#phase = { ...peer, missing: `${waitingFor} ${peer.missing}` }
    }
    const open = buildConnector({
      timeout: 0,
      allowH2: false,
      signal: this.#sockets.signal,
      lookup: (name, how, found) =>
        dns.lookup(name, how, (...addresses) => {
          enter('connection to')
          found(...addresses)
        }),
    })
    return ({ servername, ...options }, callback) => {
      const { hostname, host = hostname, protocol } = options
      const isSecure = protocol === 'https:'
      peer = peerOf(host)
      enter(isIP(hostname) === 0 ? 'address of' : 'connection to')
      const port = options.port || (isSecure ? '443' : '80')
      open({ ...options, port, protocol: 'http:' }, (...opened) => {
        const [error, httpSocket] = opened
        if (error || !isSecure) return callback(...opened)
        enter('TLS connection to')
        return open({ ...options, ...(servername && { servername }), httpSocket }, callback)
      })
    }
  }

  #openProxies({ EnvHttpProxyAgent, Pool }: Proxies, options: Client.Options): Dispatcher {
    const unlimited = { timeout: 0, signal: this.#sockets.signal }
    const http = readProxy(process.env, 'HTTP_PROXY')
    const https = readProxy(process.env, 'HTTPS_PROXY')
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

  #openProxy(Pool: Proxies['Pool'], address: URL, named: readonly NamedProxy[]): Dispatcher {
    const missing = `the proxy ${address.host}`
    const flaw = named.find(proxy => proxy.flaw && new URL(proxy.address).host === address.host)?.flaw
    const proxy = new Pool(address, {
      connect: flaw
        ? (_, callback) => callback(flaw, null)
        : this.#connector(() => ({ ...ofProxy, missing })),
      ...undiciOptions,
    })
    return proxy.compose(
      before('onRequestStart', () => {
        this.#phase = { ...ofProxy, missing: `tunnel through ${missing}` }
      }),
      before('onRequestUpgrade', (_, status) => {
        if (status === 200) this.#phase = { ...ofServer, missing: `TLS connection through ${missing}` }
      }),
    )
  }
}
