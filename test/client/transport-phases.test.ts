/** Tests the limits on each phase of a request. */
import dns from 'node:dns'
import { createServer, type Server } from 'node:https'
import { setImmediate as turn } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { RequestTimeoutError, TransportError } from '#base/errors'
import type { HttpRequest, HttpResponse } from '#base/seam'
import { createSend } from '#client/network/transport'
import { createCertificate } from '../../emulator/clusters/installation/certificate.ts'
import {
  type Hang,
  type HangingConnection,
  hangs,
  openHangingConnection,
} from '../support/hanging-connection.ts'
import { LocalServers } from '../support/local-servers.ts'

const { key, certificate } = createCertificate()
const trusted = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...trusted, certificate]))
afterAll(() => setDefaultCACertificates(trusted))

const servers = new LocalServers()
/** The bodies of the requests that came to the server at the end of the way. */
let arrived: string[]
let server: Server
let port: number

beforeEach(async () => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']) {
    vi.stubEnv(name, undefined)
    vi.stubEnv(name.toLowerCase(), undefined)
  }
  arrived = []
  server = createServer({ key, cert: certificate }, async (request, response) => {
    const chunks = await request.toArray()
    arrived.push(Buffer.concat(chunks).toString())
    response.end('done')
  })
  port = await servers.listen(server)
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await servers.close()
})

const post = (host: string, parts: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url: `https://${host}/v1`,
  headers: {},
  body: 'create',
  timeout: 60_000,
  maxBytes: 1000,
  ...parts,
})

/** A request on a way on which it hangs now, and its answer or failure. */
async function sendAndHang(hang: Hang, parts: Partial<HttpRequest> = {}) {
  const way = await openHangingConnection(servers, hang, port)
  if (way.proxy) vi.stubEnv('HTTPS_PROXY', `http://${way.proxy}`)
  vi.spyOn(dns, 'lookup').mockImplementation(way.lookup as typeof dns.lookup)
  const sent = createSend()(post(way.host, parts)).catch((failure: Error) => failure)
  await way.reached
  return { way, sent }
}

/** The missing step of the request that the error message names. */
const missing: Record<Hang, (way: HangingConnection) => string> = {
  'look-up': ({ host }) => `address of ${host}`,
  TLS: ({ host }) => `TLS connection to ${host}`,
  'look-up of the proxy': ({ proxy }) => `address of the proxy ${proxy}`,
  tunnel: ({ proxy }) => `tunnel through the proxy ${proxy}`,
  'TLS through the tunnel': ({ proxy }) => `TLS connection through the proxy ${proxy}`,
}

/** Nothing of it is left, and nothing comes of it once the way is free. */
async function expectAbandoned(way: HangingConnection): Promise<void> {
  await way.abandoned()
  way.release()
  const later = await createSend()(post(way.host, { body: 'later' }))
  expect(later.body).toBe('done')
  expect(arrived).toEqual(['later'])
}

const useFakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

describe.each(hangs)('a request delayed in the phase %s', hang => {
  it('is sent when the phase ends', async () => {
    const { way, sent } = await sendAndHang(hang)
    way.release()
    expect(((await sent) as HttpResponse).body).toBe('done')
    expect(arrived).toEqual(['create'])
  })

  test.each<[string, Partial<HttpRequest>, number]>([
    ['after 10 s', {}, 10],
    ['at its timeout', { timeout: 2000 }, 2],
    ['when it should be sent', { untilSent: { timeout: 3000 } }, 3],
    ['after 10 s, even if it may take longer to be sent', { untilSent: { timeout: 20_000 } }, 10],
  ])('is abandoned %s, and never sent', async (_, parts, seconds) => {
    useFakeTimers()
    const { way, sent } = await sendAndHang(hang, parts)
    vi.advanceTimersByTime(seconds * 1000 - 1)
    await turn()
    expect(await Promise.race([sent, Promise.resolve('still waiting')])).toBe('still waiting')
    vi.advanceTimersByTime(1)
    const failure = await sent
    expect(failure).toBeInstanceOf(TransportError)
    expect(failure).toMatchObject({
      neverSent: true,
      message: `no ${missing[hang](way)} within ${seconds} s`,
      next: expect.stringContaining(way.proxy && !hang.includes('TLS') ? 'HTTPS_PROXY' : 'base_url'),
    })
    await expectAbandoned(way)
  })

  test.each<[string, (signal: AbortSignal) => Partial<HttpRequest>]>([
    ['its signal', signal => ({ signal })],
    ['the signal that holds until it is sent', signal => ({ untilSent: { timeout: 60_000, signal } })],
  ])('is abandoned at %s, and never sent', async (_, parts) => {
    const controller = new AbortController()
    const { way, sent } = await sendAndHang(hang, parts(controller.signal))
    const reason = new Error('cancelled')
    controller.abort(reason)
    expect(await sent).toBe(reason)
    await expectAbandoned(way)
  })
})

describe('a sent request', () => {
  /** A request that the server received and answers on command. */
  async function sendAndWait(parts: Partial<HttpRequest>) {
    const { promise: came, resolve } = Promise.withResolvers<() => void>()
    server.removeAllListeners('request')
    server.on('request', (_, response) => resolve(() => response.end('done')))
    const sent = createSend()(post(`127.0.0.1:${port}`, parts)).catch((failure: Error) => failure)
    return { answer: await came, sent }
  }

  it('ignores the limits for unsent requests', async () => {
    useFakeTimers()
    const controller = new AbortController()
    const untilSent = { timeout: 5000, signal: controller.signal }
    const { answer, sent } = await sendAndWait({ untilSent })
    vi.advanceTimersByTime(59_999)
    controller.abort()
    await turn()
    answer()
    expect(((await sent) as HttpResponse).body).toBe('done')
  })

  it('is inconclusive at its timeout', async () => {
    useFakeTimers()
    const { sent } = await sendAndWait({ timeout: 8000 })
    vi.advanceTimersByTime(8000)
    expect(await sent).toBeInstanceOf(RequestTimeoutError)
  })
})

describe('several requests', () => {
  it('do not end with an abandoned one', async () => {
    const { way } = await sendAndHang('TLS')
    const send = createSend()
    const controller = new AbortController()
    const given = send(post(way.host, { signal: controller.signal })).catch((failure: Error) => failure)
    const kept = send(post(way.host, { body: 'kept' }))
    controller.abort(new Error('cancelled'))
    expect(await given).toEqual(new Error('cancelled'))
    way.release()
    expect((await kept).body).toBe('done')
  })

  it('in sequence use the same connection', async () => {
    let connections = 0
    server.on('secureConnection', () => {
      connections += 1
    })
    const send = createSend()
    for (const body of ['one', 'two', 'three']) await send(post(`127.0.0.1:${port}`, { body }))
    expect([arrived, connections]).toEqual([['one', 'two', 'three'], 1])
  })
})
