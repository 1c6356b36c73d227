import connect from 'undici/lib/api/api-connect.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import Pool from 'undici/lib/dispatcher/pool.js'

// The parts of undici for proxies, which few steps need. undici opens a tunnel with `connect`.
Object.assign(Dispatcher.prototype, { connect })

export { EnvHttpProxyAgent, Pool }
