/** Tests injected faults. */
import { request as httpsRequest } from 'node:https'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createCertificate } from '../../../../emulator/clusters/installation/certificate.ts'
import type { Fault } from '../../../../emulator/http/faults/faults.ts'
import { authorization, callOverHttp } from '../../support/http-caller.ts'
import { start, stopAll } from '../../support/running.ts'

afterEach(stopAll)

/** An emulator with a fault in each creating request, a function that sends one, and the number of created services. */
async function withFault(fault: Fault) {
  const emulator = await start({
    faults: ({ operation }) => (operation === 'create-service' ? fault : undefined),
  })
  const { project } = emulator.store
  const create = () =>
    fetch(`${emulator.baseUrl}/projects/${project.id}/services`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"name": "shop"}',
    })
  const count = () =>
    (emulator.store.call('list-services', { project_id: project.id }).body as object[]).length
  return { emulator, create, count }
}

/** Reads this many bytes, then hangs up. */
async function readSome(response: Response, enough: number): Promise<void> {
  let size = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size >= enough) return
  }
  throw new Error(`the body ended after ${size} bytes`)
}

const megabyte = 1024 * 1024

describe.each([
  ['before', 0],
  ['after', 1],
] as const)('%s processing', (when, created) => {
  test('an answer of its own', async () => {
    const body = { code: 'BUSY', message: 'try later' }
    const { create, count } = await withFault({ kind: 'answer', when, status: 503, body })
    const response = await create()
    expect({ status: response.status, body: await response.json() }).toEqual({ status: 503, body })
    expect(count()).toBe(created)
  })

  test('a connection reset', async () => {
    const { emulator, create, count } = await withFault({ kind: 'reset', when })
    await expect(create()).rejects.toThrow()
    expect(emulator.requests.map(request => request.status)).toEqual([undefined])
    expect(count()).toBe(created)
  })

  test('no answer at all, which stopping ends', async () => {
    const hung = Promise.withResolvers<unknown>()
    const emulator = await start({ faults: () => ({ kind: 'hang', when }), onRequest: hung.resolve })
    const refused = expect(callOverHttp(emulator, 'create-service', { name: 'shop' })).rejects.toThrow()
    await hung.promise
    await emulator.stop()
    await refused
    const { body } = emulator.store.call('list-services', { project_id: emulator.store.project.id })
    expect(body).toHaveLength(created)
  })

  test('a slow answer without an end', async () => {
    const { create, count } = await withFault({ kind: 'drip', when })
    const response = await create()
    expect(response.status).toBe(when === 'after' ? 202 : 200)
    expect(response.headers.get('content-length')).toBeNull()
    await readSome(response, 10)
    expect(count()).toBe(created)
  })

  test('a huge body, which may be left before its end', async () => {
    const { emulator, create, count } = await withFault({ kind: 'huge', when })
    await readSome(await create(), megabyte)
    expect(count()).toBe(created)
    await emulator.stop()
  })
})

test('a slow answer ends with its connection', async () => {
  const [set, clear] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')]
  try {
    const { emulator, create } = await withFault({ kind: 'drip', when: 'before' })
    const response = await create()
    const dripping = set.mock.results.map(({ value }) => value).at(-1)
    await emulator.stop()
    await expect(response.text()).rejects.toThrow()
    await expect.poll(() => clear).toHaveBeenCalledWith(dripping)
  } finally {
    vi.restoreAllMocks()
  }
})

test('a huge body ends with the right answer', async () => {
  const { create } = await withFault({ kind: 'huge', when: 'after' })
  const response = await create()
  const text = await response.text()
  expect(text.length).toBeGreaterThan(64 * megabyte)
  expect([response.status, JSON.parse(text)]).toMatchObject([202, { name: 'shop' }])
})

test('an answer that is not JSON, with headers', async () => {
  const headers = { 'retry-after': '7' }
  const { create } = await withFault({ kind: 'answer', when: 'before', status: 429, body: '<h1>', headers })
  const response = await create()
  expect(await response.text()).toBe('<h1>')
  expect(Object.fromEntries(response.headers)).toMatchObject({ 'content-type': 'text/html', ...headers })
})

test('half of an answer', async () => {
  const { create, count } = await withFault({ kind: 'truncate' })
  await expect(create().then(response => response.text())).rejects.toThrow()
  expect(count()).toBe(1)
})

test('an answer derived from the right one', async () => {
  const { create, count } = await withFault({
    kind: 'change',
    change: ({ status, body }) => ({
      status: status + 1,
      headers: { 'content-type': 'text/html' },
      body: body.replace('shop', 'barn'),
    }),
  })
  const response = await create()
  expect([response.status, response.headers.get('content-type'), count()]).toEqual([203, 'text/html', 1])
  expect(await response.json()).toMatchObject({ name: 'barn' })
})

test('an answer that comes late to a processed request', async () => {
  const { create, count } = await withFault({ kind: 'late', milliseconds: 300 })
  let isAnswered = false
  const creating = create().then(response => {
    isAnswered = true
    return response.json()
  })
  await expect.poll(count).toBe(1)
  expect(isAnswered).toBe(false)
  expect(await creating).toMatchObject({ name: 'shop' })
})

test('the hook gets the properties of the request', async () => {
  const faults = vi.fn(() => undefined)
  const emulator = await start({ faults })
  await callOverHttp(emulator, 'create-service', { name: 'shop' })
  await callOverHttp(emulator, 'list-projects')
  const path = `/projects/${emulator.store.project.id}/services`
  expect(faults.mock.calls).toEqual([
    [{ method: 'POST', path, operation: 'create-service', body: { name: 'shop' } }],
    [{ method: 'GET', path: '/projects', operation: 'list-projects', body: undefined }],
  ])
})

test('a hook that throws causes a 500, and is reported', async () => {
  const onProblem = vi.fn()
  const faults = () => {
    throw new Error('oh no')
  }
  const emulator = await start({ faults, onProblem })
  expect(await callOverHttp(emulator, 'list-projects')).toMatchObject({
    status: 500,
    body: { code: 'INTERNAL' },
  })
  expect(onProblem.mock.calls).toEqual([[expect.stringContaining('oh no')]])
})

/** The status of GET /projects, trusting the authority given. */
function statusOf(baseUrl: string, ca?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { headers: { authorization }, agent: false as const, ...(ca && { ca }) }
    const request = httpsRequest(`${baseUrl}/projects`, options, response => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    request.once('error', reject).end()
  })
}

test('over https, with an untrusted certificate', async () => {
  const certificate = createCertificate()
  const emulator = await start({ https: certificate })
  expect(emulator.baseUrl).toMatch(/^https:/)
  await expect(statusOf(emulator.baseUrl)).rejects.toThrow('self-signed certificate')
  expect(emulator.requests).toEqual([])
  expect(await statusOf(emulator.baseUrl, certificate.certificate)).toBe(200)
})
