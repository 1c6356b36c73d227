import connect from 'undici/lib/api/api-connect.js'
import request from 'undici/lib/api/api-request.js'
import buildConnector from 'undici/lib/core/connect.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import Pool from 'undici/lib/dispatcher/pool.js'

// undici's index would load fetch, web sockets, mocks and caches as well, which takes longer than all else that a step
// loads. What it adds to each dispatcher is added here, as far as it is used: `connect` by undici's way to a proxy.
Object.assign(Dispatcher.prototype, { connect, request })

export { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool }
