import connect from 'undici/lib/api/api-connect.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import Pool from 'undici/lib/dispatcher/pool.js'

// As in undici.ts: undici's way to a proxy asks it by `connect` for a tunnel.
Object.assign(Dispatcher.prototype, { connect })

/** What of undici is about proxies, which is loaded only where the environment names one. */
export { EnvHttpProxyAgent, Pool }
