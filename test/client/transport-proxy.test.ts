/** Tests requests through a proxy. */
import { createServer as createHttpServer, request as forward, type IncomingMessage } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TransportError } from '#base/errors'
import { createSend } from '#client/network/transport'
import { LocalServers } from '../support/local-servers.ts'

const servers = new LocalServers()
let origin: string
let originPort: number
let proxied: string[]

/** A proxy as companies have them: it forwards HTTP and opens tunnels, and keeps a list. */
function createProxy(tunnelStatus = 200) {
  const server = createHttpServer((request, response) => {
    proxied.push(`forward ${request.url}`)
    const onward = forward(request.url as string, { method: request.method, headers: request.headers })
    onward.on('response', answer => answer.pipe(response.writeHead(answer.statusCode as number)))
    request.pipe(onward)
  })
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    proxied.push(`tunnel ${request.url}`)
    client.on('error', () => {})
    if (tunnelStatus !== 200) return client.end(`HTTP/1.1 ${tunnelStatus} No\r\n\r\n`)
    const onward = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(client).pipe(onward)
    })
    return onward.on('error', () => client.destroy())
  })
  return server
}

const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap(name => [name, name.toLowerCase()])

beforeEach(async () => {
  for (const name of variables) vi.stubEnv(name, undefined)
  proxied = []
  originPort = await servers.listen(createHttpServer((_, response) => response.end('from the origin')))
  origin = `http://127.0.0.1:${originPort}/v1`
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await servers.close()
})

/** Sends a request in the environment of this moment, as a new process would. */
const sendTo = (url: string) =>
  createSend()({ method: 'GET', url, headers: {}, timeout: 30_000, maxBytes: 1000 })

describe('a request', () => {
  it('connects directly if the environment names no proxy', async () => {
    expect((await sendTo(origin)).body).toBe('from the origin')
    expect(proxied).toEqual([])
  })

  it.each(['HTTP_PROXY', 'http_proxy'])('without TLS never uses the proxy in %s', async name => {
    vi.stubEnv(name, `http://127.0.0.1:${await servers.listen(createProxy())}`)
    expect((await sendTo(origin)).body).toBe('from the origin')
    expect(proxied).toEqual([])
  })

  it('over TLS uses a tunnel of the proxy in HTTPS_PROXY', async () => {
    vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${await servers.listen(createProxy())}`)
    // The origin has no TLS: the test only needs the request for the tunnel.
    await expect(sendTo(`https://127.0.0.1:${originPort}/v1`)).rejects.toThrow(TransportError)
    expect(proxied).toEqual([`tunnel 127.0.0.1:${originPort}`])
  })

  it('bypasses the proxy for hosts in NO_PROXY', async () => {
    vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${await servers.listen(createProxy())}`)
    vi.stubEnv('NO_PROXY', 'other.example,127.0.0.1')
    await expect(sendTo(`https://127.0.0.1:${originPort}/v1`)).rejects.toThrow(TransportError)
    expect(proxied).toEqual([])
  })

  it('was certainly not sent if the proxy refuses to connect', async () => {
    const port = await servers.findClosedPort(() => createServer())
    vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${port}`)
    await expect(sendTo(`https://127.0.0.1:${originPort}/v1`)).rejects.toMatchObject({
      name: 'TransportError',
      neverSent: true,
      message: expect.stringMatching(`^no connection to the proxy 127.0.0.1:${port}: .*ECONNREFUSED`),
      next: expect.stringContaining('HTTPS_PROXY'),
    })
  })

  it('was certainly not sent if the proxy opens no tunnel', async () => {
    const port = await servers.listen(createProxy(407))
    vi.stubEnv('HTTPS_PROXY', `http://user:password@127.0.0.1:${port}`)
    await expect(sendTo(`https://127.0.0.1:${originPort}/v1`)).rejects.toMatchObject({
      name: 'TransportError',
      neverSent: true,
      message: expect.stringMatching(`^no tunnel through the proxy 127.0.0.1:${port}: .*407`),
      next: expect.stringContaining('HTTPS_PROXY'),
    })
  })

  it.each([
    ['proxy.example:3128', 'does not begin with http:// or https://'],
    ['http://proxy example:3128', 'is not an address like http://proxy.example:3128'],
    ['ftp://proxy.example', 'begins with ftp://, not with http:// or https://'],
    ['socks5://me:hush@proxy:1080', 'names a SOCKS proxy (socks5://), and only HTTP proxies can be used'],
    ['socks://proxy.example:1080', 'names a SOCKS proxy (socks://), and only HTTP proxies can be used'],
    ['SOCKS5h://proxy.example', 'names a SOCKS proxy (SOCKS5h://), and only HTTP proxies can be used'],
  ])('is neither sent nor repeated if the proxy is %s', async (proxy, problem) => {
    for (const variable of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY']) {
      vi.unstubAllEnvs()
      for (const name of variables) vi.stubEnv(name, name === variable ? proxy : undefined)
      await expect(sendTo(`https://127.0.0.1:${originPort}/v1`)).rejects.toMatchObject({
        name: 'TransportError',
        neverSent: true,
        isLasting: true,
        message: `no usable proxy: ${variable} ${problem}`,
        next: expect.stringContaining(`set ${variable} to the address of an HTTP proxy`),
      })
    }
  })

  it('bypasses an unusable proxy for hosts in NO_PROXY', async () => {
    vi.stubEnv('HTTPS_PROXY', 'socks5://127.0.0.1:1')
    vi.stubEnv('NO_PROXY', '127.0.0.1')
    await expect(sendTo(`https://127.0.0.1:${originPort}/v1`)).rejects.toThrow(
      'the server does not speak TLS',
    )
  })

  it('fails with a special message if the proxy does not use TLS', async () => {
    const port = await servers.listen(createProxy())
    vi.stubEnv('HTTPS_PROXY', `https://127.0.0.1:${port}`)
    await expect(sendTo(`https://127.0.0.1:${originPort}/v1`)).rejects.toMatchObject({
      isLasting: true,
      message:
        'the proxy does not speak TLS on this port: wrong version number (ERR_SSL_WRONG_VERSION_NUMBER)',
      next: expect.stringContaining('HTTPS_PROXY'),
    })
  })
})
