/** The parts of undici for proxies, which few steps need. */
import connect from 'undici/lib/api/api-connect.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import Pool from 'undici/lib/dispatcher/pool.js'

// undici opens a tunnel with this method of its dispatchers.
Object.assign(Dispatcher.prototype, { connect })

export { EnvHttpProxyAgent, Pool }
