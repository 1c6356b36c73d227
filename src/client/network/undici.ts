import connect from 'undici/lib/api/api-connect.js'
import request from 'undici/lib/api/api-request.js'
import buildConnector from 'undici/lib/core/connect.js'
import Client from 'undici/lib/dispatcher/client.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import Pool from 'undici/lib/dispatcher/pool.js'

// undici's index would load fetch, web sockets, mocks and caches as well, which takes longer than all else that a step
// loads. Of the methods that the index adds to dispatchers, those in use are added here; undici itself calls `connect` to
// ask a proxy for a tunnel.
Object.assign(Dispatcher.prototype, { connect, request })

export { buildConnector, Client, type Dispatcher, EnvHttpProxyAgent, Pool }
