// The two requests of bare-script.cjs by the modules of undici that src/client imports, and nothing around them.
const { setFlagsFromString } = require('node:v8')
const request = require('undici/lib/api/api-request.js')
const Client = require('undici/lib/dispatcher/client.js')
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js')

setFlagsFromString('--wasm-tiering-budget=2000000000')
Object.assign(Dispatcher.prototype, { request })

/** Asks for a fork and looks at it; `decode` reads the text of an answer. */
exports.run = async (decode, name = 'fork') => {
  const [address, serviceId] = process.argv.slice(2)
  const client = new Client(address, { allowH2: false, useMilo: false })
  const ask = async (method, path, body) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await client.request({ origin: address, path, method, headers, body })
    return decode(await answer.body.text())
  }
  const services = '/projects/project1/services'
  const fork = await ask(
    'POST',
    `${services}/${serviceId}/forkService`,
    JSON.stringify({ name, fork_strategy: 'NOW' }),
  )
  const { status } = await ask('GET', `${services}/${fork.service_id}`)
  process.stdout.write(`${status}\n`, () => process.exit())
}
