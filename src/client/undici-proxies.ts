import connect from 'undici/lib/api/api-connect.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import Pool from 'undici/lib/dispatcher/pool.js'

// As in undici.ts; undici calls `connect` to ask a proxy for a tunnel.
Object.assign(Dispatcher.prototype, { connect })

/** All that is about proxies, loaded only if the environment names one. */
export { readProxy } from './proxy-variables.ts'
export { EnvHttpProxyAgent, Pool }
