/** Tests the HTTP server of the emulator. */
import { once } from 'node:events'
import { get } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { authorization, callOverHttp } from '../support/http-caller.ts'
import { start, stopAll } from '../support/running.ts'

afterEach(stopAll)

const services = '/projects/em00000001/services'
const api = '/public/api/v1'
const json = 'application/json'
const tooLarge = `{"name": "${'a'.repeat(1024 * 1024)}"}`

interface Sent {
  method?: string
  /** After the address of the emulator. */
  path?: string
  body?: string
  /** `null`: none. */
  key?: string | null
  type?: string
}

test.each<[string, Sent, number, string]>([
  ['no key', { key: null }, 401, 'UNAUTHORIZED'],
  ['a wrong key', { key: `Basic ${btoa('local:wrong')}` }, 401, 'UNAUTHORIZED'],
  ['a longer key', { key: `Basic ${btoa('local:local-secret-key1')}` }, 401, 'UNAUTHORIZED'],
  ['a wrong token', { key: `Bearer ${btoa('local:local-secret-key')}` }, 401, 'UNAUTHORIZED'],
  ['an unknown route', { path: `${api}/nope` }, 404, 'NOT_FOUND'],
  ['a path outside of the base path', { path: '/projects' }, 404, 'NOT_FOUND'],
  ['another project', { path: `${api}/projects/other/services` }, 404, 'NOT_FOUND'],
  ['a path with a stray %', { path: `${api}${services}/%E0%A4%A` }, 404, 'NOT_FOUND'],
  ['no body', { method: 'POST' }, 400, 'INVALID_REQUEST'],
  ['a body that is not JSON', { method: 'POST', body: '{"name"' }, 400, 'INVALID_REQUEST'],
  ['JSON that is no object', { method: 'POST', body: '[]' }, 400, 'INVALID_REQUEST'],
  ['another type', { method: 'POST', body: 'name=a', type: 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['another type', { method: 'POST', body: '{"name": "a", "cpu_millis": 500}' }, 400, 'INVALID_REQUEST'],
  ['an unknown query field', { path: `${api}${services}?page=2` }, 400, 'INVALID_REQUEST'],
  ['too large a body', { method: 'POST', body: tooLarge }, 413, 'TOO_LARGE'],
])('%s is refused', async (_, sent, status, code) => {
  const { port } = await start()
  const { method = 'GET', path = `${api}${services}`, body = null, key = authorization, type = json } = sent
  const headers = { ...(key !== null && { authorization: key }), 'content-type': type }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body })
  expect(response.headers.get('content-type')).toBe(json)
  expect({ status: response.status, body: await response.json() }).toEqual({
    status,
    body: { code, message: expect.stringMatching(/./) },
  })
})

test('a method that a path does not accept is answered with the accepted ones', async () => {
  const emulator = await start()
  const response = await fetch(emulator.baseUrl + services, { method: 'PUT', headers: { authorization } })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST'])
  expect(await response.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
})

test.each(['/', '/openapi.json', '/emulator/overview'])(
  'HEAD %s is answered as GET, without a body',
  async path => {
    const emulator = await start()
    const ask = (method: string) => fetch(`http://127.0.0.1:${emulator.port}${path}`, { method })
    const [head, get] = [await ask('HEAD'), await ask('GET')]
    expect([head.status, get.status, await head.text()]).toEqual([200, 200, ''])
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
  },
)

test('HEAD of the API needs the key, like GET', async () => {
  const emulator = await start()
  const url = `${emulator.baseUrl}${services}`
  const statuses = [{}, { authorization }].map(
    async headers => (await fetch(url, { method: 'HEAD', headers })).status,
  )
  expect(await Promise.all(statuses)).toEqual([401, 200])
})

test('a fork of the current data may name a time, which is ignored', async () => {
  const emulator = await start({ readyAfter: 0 })
  const { body } = await callOverHttp(emulator, 'create-service', { name: 'shop' })
  const fork = { service_id: body.service_id, fork_strategy: 'NOW', target_time: '2024-01-01T00:00:00Z' }
  expect((await callOverHttp(emulator, 'fork-service', fork)).status).toBe(202)
})

test('the target of a request may contain the host, as from clients behind a proxy', async () => {
  const { baseUrl, port } = await start()
  const path = `${baseUrl}/projects`
  const [answer] = await once(get({ host: '127.0.0.1', port, path, headers: { authorization } }), 'response')
  expect(answer.resume().statusCode).toBe(200)
})

test('all problems of a request are reported at once, by the name of their field', async () => {
  const emulator = await start()
  const { body } = await callOverHttp(emulator, 'create-service', { name: '', replica_count: -1 })
  expect(body.message).toBe(
    'body: name: expected a name of 1 to 128 characters; ' +
      'body: replica_count: expected a whole number of at least 0, like 1',
  )
  const ha = await callOverHttp(emulator, 'set-ha', { service_id: 'a' })
  expect(ha.body.message).toBe(
    'body: replica_count: expected a number in replica_count, sync_replica_count or both',
  )
})

test('unknown fields of a body are ignored, with or without known fields', async () => {
  const emulator = await start({ readyAfter: 0, changeAfter: 0 })
  const { status, body } = await callOverHttp(emulator, 'create-service', { name: 'shop', tags: ['a'] })
  expect([status, body.name]).toEqual([202, 'shop'])
  const stopped = await callOverHttp(emulator, 'stop-service', { service_id: body.service_id, force: true })
  expect(stopped.status).toBe(202)
})

test('a bearer token represents a person, Basic a key; each is shown accordingly', async () => {
  const emulator = await start()
  const ask = async (path: string, authorization: string) =>
    (await fetch(`${emulator.baseUrl}${path}`, { headers: { authorization } })).json()
  const { publicKey, secretKey } = emulator.keys
  const bearer = `Bearer ${secretKey}`
  const user = { id: expect.any(String), name: expect.any(String), email: expect.any(String) }
  expect(await ask('/auth/info', bearer)).toEqual({ type: 'oauth', oauth: { user } })
  expect(await ask(services, bearer)).toEqual([])
  const key = await ask('/auth/info', `Basic ${btoa(`${publicKey}:${secretKey}`)}`)
  expect(key).toMatchObject({ type: 'apiKey', api_key: { public_key: publicKey, issuing_user: user } })
  expect(key).not.toHaveProperty('oauth')
})

test('metric series refuse unknown values, by the body’s own rule', async () => {
  const emulator = await start()
  const { body } = await callOverHttp(emulator, 'create-service', { name: 'shop' })
  const { service_id } = body
  const given = { service_id, metric_name: 'timescale_cloud_database_qps', from: '2026-01-31T12:00:00Z' }
  const to = '2026-01-31T13:00:00Z'
  const refusal = async (more: object) =>
    (await callOverHttp(emulator, 'get-metric-series', { ...given, to, ...more })).body.message
  expect(await refusal({ more: 1 })).toBe('body: unknown field "more"')
  expect(await refusal({ metric_name: 'nope' })).toMatch(
    /^metric_name: expected one of timescale_cloud_database_num_connections, /,
  )
  expect(await refusal({ name: 'timescale_cloud_database_qps' })).toBe('body: unknown field "name"')
  expect(await refusal({ group_by: ['datname'] })).toMatch(/^group_by: expected region, role, ordinal, not/)
  const metric_name = 'timescale_cloud_system_disk_usage_bytes'
  expect(await refusal({ metric_name, fn: 'AVG' })).toMatch(/^body: fn: expected nothing/)
  expect(await refusal({ metric_name, group_by: ['role'] })).toMatch(/^body: group_by: expected nothing/)
  expect(await refusal({ bucket_seconds: 59 })).toMatch(/^body: bucket_seconds: /)
  expect(await refusal({ to: given.from })).toMatch(/^from, to: /)
  expect(await refusal({ from: '1990-01-31T12:00:00Z', bucket_seconds: 60 })).toMatch(
    /^bucket_seconds: expected at most/,
  )
})

test.each(['search=service&search=@', 'search[]=service&search[]=@', 'search=@'])(
  'a list in a query: %s',
  async query => {
    const emulator = await start()
    const { body } = await callOverHttp(emulator, 'create-service', { name: 'shop' })
    const url = `${emulator.baseUrl}${services}/${body.service_id}/logs?${query}`
    const response = await fetch(url, { headers: { authorization } })
    expect(await response.json()).toMatchObject({ logs: [] })
  },
)

test('requests are recorded without secrets', async () => {
  const emulator = await start({ secretKey: 'well-kept', publicKey: 'me' })
  await fetch(`${emulator.baseUrl}/auth/info?key=well-kept`, {
    headers: { authorization: `Basic ${btoa('me:well-kept')}` },
  })
  await fetch(`${emulator.baseUrl}/nope`)
  expect(emulator.requests).toEqual([
    {
      method: 'GET',
      path: '/public/api/v1/auth/info',
      operation: 'get-auth-info',
      hasAuthorization: true,
      status: 400,
    },
    {
      method: 'GET',
      path: '/public/api/v1/nope',
      operation: undefined,
      hasAuthorization: false,
      status: 401,
    },
  ])
})

test('a port in use is an error; stopping twice is none', async () => {
  const emulator = await start()
  await expect(start({ port: emulator.port })).rejects.toThrow('EADDRINUSE')
  await Promise.all([emulator.stop(), emulator.stop()])
  await expect(fetch(emulator.baseUrl)).rejects.toThrow()
})
