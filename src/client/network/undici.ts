import request from 'undici/lib/api/api-request.js'
import buildConnector from 'undici/lib/core/connect.js'
import Client from 'undici/lib/dispatcher/client.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'

// undici's index would load fetch, web sockets, mocks and caches as well, which takes longer than all else that a step
// loads. Of the methods that the index adds to dispatchers, the one in use is added here.
Object.assign(Dispatcher.prototype, { request })

export { buildConnector, Client, type Dispatcher }
