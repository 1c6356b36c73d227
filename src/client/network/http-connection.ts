import dns from 'node:dns'
import { isIP } from 'node:net'
import { type NamedProxy, readProxy } from './proxy-variables.ts'
import { buildConnector, Client, type Dispatcher } from './undici.ts'

/** What a request waits for until it can be sent. */
export interface Phase {
  /** What is missing, as it follows `no` in a message: `no usable proxy`. */
  missing: string
  /** What to do if it does not come: an imperative sentence without full stop. */
  next: string
  /** Whether the request waits for the proxy, not for the server. */
  isProxy: boolean
}

type Proxies = typeof import('./undici-proxies.ts')

export interface HttpConnectionOptions {
  /** The server: scheme, host and port. */
  origin: string
  /** Where the proxies of the environment are to be used: how. */
  proxies?: Proxies | undefined
}

const undiciOptions = {
  // The limits of the request hold in every phase; undici's own would end some of them too late.
  headersTimeout: 0,
  // Node's default. undici would ask node:http for it, which the bundle leaves out (tools/build/bundle.ts), like all
  // parsers but that of HTTP/1 which undici takes by default.
  maxHeaderSize: 16_384,
  useMilo: false,
}

const ofServer = {
  isProxy: false,
  next: 'check base_url and that the runner can reach it (proxy, firewall, DNS)',
}
const ofProxy = {
  isProxy: true,
  next: 'check HTTPS_PROXY and that the proxy works; NO_PROXY names the hosts that are reached without it',
}
/** The proxy's address in the environment cannot be used. */
export const unusableProxy: Phase = { ...ofProxy, missing: 'usable proxy' }

type Step = 'onRequestStart' | 'onRequestUpgrade'

/** Calls `act` before a step of each request. (undici makes a new handler for each request.) */
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
 * A connection to one server, for one request at a time. undici goes on connecting for a request that was given up, and
 * a proxy may keep it waiting for minutes. So giving up a request ends its connection, which no other request shares.
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

  /** What a request that is not sent yet waits for. */
  get phase(): Phase {
    return this.#phase
  }

  /** Ends the connection for good: nothing more is sent, and no socket keeps the process alive. */
  end(): void {
    // Requests that wait for a socket go first: they would open another.
    void this.dispatcher.destroy()
    this.#sockets.abort()
  }

  /** Connects step by step, so that an error can name the step that did not end. */
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
