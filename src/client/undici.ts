import request from 'undici/lib/api/api-request.js'
import buildConnector from 'undici/lib/core/connect.js'
import Client from 'undici/lib/dispatcher/client.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'

// undici's index would load fetch, web sockets, mocks and caches as well, which takes longer than all else that a step
// loads. What it adds to each dispatcher is added here, as far as it is used.
Object.assign(Dispatcher.prototype, { request })

export { buildConnector, Client, type Dispatcher }
