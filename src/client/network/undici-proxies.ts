import connect from 'undici/lib/api/api-connect.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import Pool from 'undici/lib/dispatcher/pool.js'

// What undici needs for the way through a proxy, which few steps take. It asks the proxy for a tunnel by `connect`.
Object.assign(Dispatcher.prototype, { connect })

export { EnvHttpProxyAgent, Pool }
