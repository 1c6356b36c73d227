/** Tests requests over real sockets. */
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Socket } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { afterEach, describe, expect, it, test } from 'vitest'
import { AnswerTooLargeError, RequestTimeoutError, TransportError } from '#base/errors'
import type { HttpRequest } from '#base/seam'
import { createSend } from '#client/network/transport'
import { transportFailure } from '#client/network/transport-failure'
import { createCertificate } from '../../emulator/clusters/installation/certificate.ts'
import { LocalServers } from '../support/local-servers.ts'

const servers = new LocalServers()
afterEach(() => servers.close())

const send = createSend()

const requestTo = (url: string, parts: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  timeout: 30_000,
  maxBytes: 1000,
  ...parts,
})

/** The address of a server that answers HTTP. */
const answering = async (listener: RequestListener) =>
  `http://127.0.0.1:${await servers.listen(createHttpServer(listener))}`

/** The address of a server that does something else with a connection, once the request has come. */
const misbehaving = async (act: (socket: Socket) => void) =>
  `http://127.0.0.1:${await servers.listen(createServer(socket => socket.once('data', () => act(socket))))}`

/** The failure of a request, which must fail. */
async function failureOf(request: HttpRequest): Promise<unknown> {
  return send(request).then(
    response => Promise.reject(new Error(`answered with ${response.status}`)),
    (error: unknown) => error,
  )
}

describe('an answer', () => {
  it('is read without its byte order mark', async () => {
    const url = await answering((_, response) => response.end('\uFEFF{"mark":"\uFEFF"}'))
    expect(await send(requestTo(url))).toMatchObject({ body: '{"mark":"\uFEFF"}' })
  })
})

async function readAll(message: IncomingMessage): Promise<string> {
  const chunks = await message.toArray()
  return Buffer.concat(chunks).toString()
}

describe('a request', () => {
  it('arrives unchanged, and so does its answer', async () => {
    const seen: unknown[] = []
    const url = await answering(async (request, response) => {
      const { method, url: path, headers } = request
      seen.push({ method, path, key: headers.authorization, body: await readAll(request) })
      response.writeHead(202, { 'Content-Type': 'application/json', 'X-Twice': ['a', 'b'] })
      response.end('{"name":"Größe 🐘"}')
    })
    const request = requestTo(`${url}/a/b?c=d`, {
      method: 'POST',
      headers: { authorization: 'Basic abc' },
      body: '{"é":1}',
    })
    expect(await send(request)).toMatchObject({
      status: 202,
      headers: { 'content-type': 'application/json', 'x-twice': 'a, b' },
      body: '{"name":"Größe 🐘"}',
    })
    expect(seen).toEqual([{ method: 'POST', path: '/a/b?c=d', key: 'Basic abc', body: '{"é":1}' }])
  })

  it('reads characters that arrive in two chunks', async () => {
    // Three bytes each, cut at multiples of a power of two: sooner or later in the middle of one.
    const text = '漢'.repeat(200_000)
    const url = await answering((_, response) => response.end(text))
    expect((await send(requestTo(url, { maxBytes: 1_000_000 }))).body === text).toBe(true)
  })

  it.each([204, 304, 400, 404, 500])('accepts %i as an answer', async status => {
    const url = await answering((_, response) => response.writeHead(status).end())
    expect(await send(requestTo(url))).toMatchObject({ status, body: '' })
  })
})

describe('an answer', () => {
  it("of the cap's size is read; one byte more is too large", async () => {
    const url = await answering((_, response) => response.end('a'.repeat(1000)))
    expect((await send(requestTo(url, { maxBytes: 1000 }))).body).toHaveLength(1000)
    const failure = await failureOf(requestTo(url, { maxBytes: 999 }))
    expect(failure).toBeInstanceOf(AnswerTooLargeError)
    expect((failure as Error).message).toBe('the answer is larger than 999 bytes')
  })
})

describe('the uncertainty whether the server processed a request', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['a reset', socket => socket.resetAndDestroy()],
    ['an end without an answer', socket => socket.end()],
    ['an answer that is not HTTP', socket => socket.end('hello\r\n\r\n')],
    ['half an answer', socket => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":')],
  ])('remains after %s', async (_, act) => {
    const failure = await failureOf(requestTo(await misbehaving(act), { method: 'POST', body: '{}' }))
    expect(failure).toBeInstanceOf(TransportError)
    expect(failure).toMatchObject({ neverSent: false, next: expect.stringContaining('base_url') })
  })

  test.each<[string, (socket: Socket) => void]>([
    ['before its first byte', () => {}],
    ['in its body', socket => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":')],
  ])('remains after an answer that stops %s', async (_, act) => {
    const failure = await failureOf(requestTo(await misbehaving(act), { timeout: 205 }))
    expect(failure).toBeInstanceOf(RequestTimeoutError)
    expect((failure as Error).message).toBe('no complete answer within 0.205 s')
  })
})

describe('a request was certainly not sent if it', () => {
  it('is refused', async () => {
    const port = await servers.findClosedPort(() => createServer())
    const failure = await failureOf(requestTo(`http://127.0.0.1:${port}`))
    expect(failure).toBeInstanceOf(TransportError)
    expect(failure).toMatchObject({ neverSent: true, message: expect.stringContaining('ECONNREFUSED') })
    expect(failure).toMatchObject({ next: expect.stringContaining('localhost is the runner itself') })
  })

  it('is refused at every address of its host', async () => {
    const port = await servers.findClosedPort(() => createServer())
    expect(await failureOf(requestTo(`http://localhost:${port}`))).toMatchObject({
      neverSent: true,
      next: expect.stringContaining('localhost is the runner itself'),
    })
  })

  it('has a host that does not exist', async () => {
    expect(await failureOf(requestTo('http://no-such-host.invalid'))).toMatchObject({ neverSent: true })
  })

  it('reaches a server without TLS', async () => {
    const plain = await answering((_, response) => response.end('plain'))
    expect(await failureOf(requestTo(plain.replace('http', 'https')))).toMatchObject({
      neverSent: true,
      isLasting: true,
      message:
        'the server does not speak TLS on this port: wrong version number (ERR_SSL_WRONG_VERSION_NUMBER)',
      next: expect.stringContaining('check the port of base_url'),
    })
  })

  it('reaches an untrusted certificate', async () => {
    const { key, certificate } = createCertificate()
    let requests = 0
    const server = createHttpsServer({ key, cert: certificate }, (_, response) => {
      requests += 1
      response.end()
    })
    const failure = await failureOf(requestTo(`https://127.0.0.1:${await servers.listen(server)}`))
    expect(failure).toMatchObject({
      neverSent: true,
      message: expect.stringMatching(/not trusted: self-signed certificate \(\w+\)$/),
      next: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    })
    expect(requests).toBe(0)
  })

  test.each<[string, Partial<PeerCertificate>]>([
    ['localhost, 127.0.0.1', { subjectaltname: 'DNS:localhost, IP Address:127.0.0.1' }],
    ['a.io, b.io, c.io, and 1 more', { subjectaltname: 'DNS:a.io, DNS:b.io, DNS:c.io, DNS:d.io' }],
    ['old.example', { subject: { CN: 'old.example' } as PeerCertificate['subject'] }],
  ])('reaches a certificate for %s', (names, certificate) => {
    const error = checkServerIdentity('db.example', certificate as PeerCertificate)
    expect(transportFailure(error, { missing: 'connection', next: '', isProxy: false })).toMatchObject({
      isLasting: true,
      message: `the certificate of the server is for ${names}, not db.example`,
      next: 'correct the host in base_url',
    })
  })
})

describe('a cancelled job', () => {
  const reason = new Error('cancelled')

  it('sends nothing', async () => {
    let requests = 0
    const url = await answering(() => {
      requests += 1
    })
    expect(await failureOf(requestTo(url, { signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(requests).toBe(0)
  })

  it('waits for no answer', async () => {
    const controller = new AbortController()
    const url = await misbehaving(() => controller.abort(reason))
    expect(await failureOf(requestTo(url, { signal: controller.signal }))).toBe(reason)
  })

  it('does not wait for the rest of an answer', async () => {
    const controller = new AbortController()
    const url = await misbehaving(socket => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":', () => controller.abort(reason))
    })
    expect(await failureOf(requestTo(url, { signal: controller.signal }))).toBe(reason)
  })
})
