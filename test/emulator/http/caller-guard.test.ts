/** Tests the protection from other websites. */
import { request } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { checkCaller } from '../../../emulator/http/caller-guard.ts'
import type { Emulator, EmulatorOptions } from '../../../emulator/http/server.ts'
import { authorization } from '../support/http-caller.ts'
import { start, stopAll } from '../support/running.ts'

afterEach(stopAll)

/** Sends headers that fetch forbids. `PORT` in a header stands for the emulator's port. */
async function call(
  emulator: Emulator,
  headers: Record<string, string>,
  method = 'GET',
  path = '/public/api/v1/projects/em00000001/services',
) {
  const filled = Object.entries(headers).map(([name, value]) => [
    name,
    value.replace('PORT', `${emulator.port}`),
  ])
  const { port } = emulator
  const given = { authorization, 'content-type': 'application/json', ...Object.fromEntries(filled) }
  return new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: given }, async response => {
      let body = ''
      for await (const chunk of response.setEncoding('utf8')) body += chunk
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(body) })
    })
    sent.once('error', reject)
    sent.end(method === 'POST' ? '{"name": "shop"}' : undefined)
  })
}

test.each<[string, Record<string, string>, EmulatorOptions?]>([
  ['127.0.0.1', { host: '127.0.0.1:PORT' }],
  ['localhost, whatever port leads here', { host: 'LOCALHOST:1' }],
  ['the address of IPv6', { host: '[::1]:PORT' }],
  ['its own page', { host: 'localhost:PORT', origin: 'http://localhost:PORT' }],
  ['a name that is allowed', { host: 'db.example:PORT' }, { allowHosts: ['db.example'] }],
  ['a page that is allowed', { origin: 'https://db.example' }, { allowHosts: ['db.example'] }],
])('%s may call', async (_, headers, options) => {
  expect((await call(await start(options), headers)).status).toBe(200)
})

const named = /^the request is for a host of another name \("(.+)"\): use 127\.0\.0\.1 or localhost, or start/
const foreign =
  /^the request comes from a web page of another origin \("(.+)"\): if it may, start the emulator with --allow-host/

test.each<[string, Record<string, string>, RegExp, EmulatorOptions?]>([
  ['a name that leads here', { host: 'evil.example' }, named],
  ['a name with a port', { host: 'evil.example:PORT' }, named],
  ['a name that ends like this machine', { host: 'localhost.evil.example' }, named],
  ['a name like an allowed one', { host: 'db.example.evil' }, named, { allowHosts: ['db.example'] }],
  ['a host that is none', { host: 'localhost@evil.example' }, named],
  ['a page of a stranger', { origin: 'https://evil.example' }, foreign],
  ['a page of another port', { origin: 'http://127.0.0.1:1' }, foreign],
  ['a page without an origin of its own', { origin: 'null' }, foreign],
  ['an extension', { origin: 'moz-extension://127.0.0.1:PORT' }, foreign],
])('%s may not call, and changes nothing', async (_, headers, message, options) => {
  const emulator = await start(options)
  const body = { code: 'FORBIDDEN', message: expect.stringMatching(message) }
  expect(await call(emulator, headers, 'POST')).toEqual({ status: 403, body })
  expect(await call(emulator, {})).toEqual({ status: 200, body: [] })
})

test('the controls of the emulator itself have the same guard', async () => {
  const emulator = await start()
  const ask = (headers: Record<string, string>) => call(emulator, headers, 'GET', '/emulator/faults')
  expect(await ask({ host: 'evil.example' })).toMatchObject({ status: 403 })
  expect(await ask({ origin: 'https://evil.example' })).toMatchObject({ status: 403 })
  expect(await ask({})).toEqual({ status: 200, body: { faults: [] } })
})

test('its own listening address is an allowed name', () => {
  const callers = { own: '192.0.2.7', allowed: [] }
  expect(() => checkCaller({ host: '192.0.2.7:80', origin: 'http://192.0.2.7:80' }, callers)).not.toThrow()
  expect(() => checkCaller({ host: '192.0.2.8:80' }, callers)).toThrow(named)
})
