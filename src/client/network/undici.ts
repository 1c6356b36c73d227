/** The parts of undici that every step needs. */
import request from 'undici/lib/api/api-request.js'
import buildConnector from 'undici/lib/core/connect.js'
import Client from 'undici/lib/dispatcher/client.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'

// undici's index would also load fetch, web sockets, mocks and caches, which takes longer than loading all
// other code of a step. So this file adds the only method of its dispatchers that the action uses.
Object.assign(Dispatcher.prototype, { request })

export { buildConnector, Client, type Dispatcher }
