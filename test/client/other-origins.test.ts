/** Tests that the keys stay with the API. */
import { createServer, type IncomingMessage } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { UnreadableAnswerError } from '#base/errors'
import { createClient } from '#client/client'
import { createRealSeam } from '#client/network/real-seam'
import { clientOptions } from '../support/client-options.ts'
import { LocalServers } from '../support/local-servers.ts'

const servers = new LocalServers()
afterEach(() => servers.close())

const body = JSON.stringify([{ service_id: 's1' }])

/** An API that answers with a status and headers, another server that it points at, and the requests to each. */
async function pointing(status: number, headersFor: (elsewhere: string) => Record<string, string>) {
  const asked: IncomingMessage[] = []
  const elsewhere: string[] = []
  const other = createServer((request, response) => {
    elsewhere.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
    response.end(body)
  })
  other.on('connection', () => elsewhere.push('a connection'))
  const address = `127.0.0.1:${await servers.listen(other)}`
  const api = createServer((request, response) => {
    asked.push(request)
    response.writeHead(status, { 'content-type': 'application/json', ...headersFor(address) })
    response.end(status === 304 ? undefined : body)
  })
  const baseUrl = `http://127.0.0.1:${await servers.listen(api)}/public/api/v1`
  const client = createClient({
    ...clientOptions(),
    seam: createRealSeam(),
    baseUrl,
    credentials: { publicKey: 'public', secretKey: 'secret' },
    maxAttempts: 2,
    deadline: Number.POSITIVE_INFINITY,
  })
  return { client, asked, elsewhere }
}

const locations: [string, (elsewhere: string) => string][] = [
  ['another origin', elsewhere => `http://${elsewhere}/public/api/v1/projects/p/services`],
  ['another origin with user and password', elsewhere => `http://public:secret@${elsewhere}/`],
  ['another origin without a scheme', elsewhere => `//${elsewhere}/`],
  ['another origin behind backslashes', elsewhere => `\\\\${elsewhere}\\`],
  ['this origin', () => '/public/api/v1/projects/p/services'],
  ['a path next to it', () => '../services'],
  ['nothing', () => ''],
]

const [anotherOrigin] = locations as [(typeof locations)[0]]
const statuses = [300, 302, 303, 305, 307, 308]

describe('a redirect is not followed, so the keys stay with the API:', () => {
  test.each([
    ...locations.map(([name, location]) => [301, name, location] as const),
    ...statuses.map(status => [status, ...anotherOrigin] as const),
  ])('%i to %s', async (status, _, location) => {
    const { client, asked, elsewhere } = await pointing(status, other => ({ location: location(other) }))
    const calls = [
      client.call('list-services', { project_id: 'p' }),
      client.call('create-service', { project_id: 'p', name: 'a' }),
      client.call('update-password', { project_id: 'p', service_id: 's', password: 'secret' }),
      client.call('delete-service', { project_id: 'p', service_id: 's' }),
    ]
    for (const { reason: failure } of (await Promise.allSettled(calls)) as PromiseRejectedResult[]) {
      expect(failure).toBeInstanceOf(UnreadableAnswerError)
      expect((failure as Error).message).toContain('a redirect, which is not followed')
    }
    expect(elsewhere).toEqual([])
    expect(asked).toHaveLength(4)
  })
})

describe('a header with another address is only a header:', () => {
  test.each<[string, (elsewhere: string) => Record<string, string>]>([
    ['location', other => ({ location: `http://${other}/` })],
    ['link', other => ({ link: `<http://${other}/?page=2>; rel="next", <http://${other}>; rel=preload` })],
    ['refresh', other => ({ refresh: `0; url=http://${other}/` })],
    ['alt-svc', other => ({ 'alt-svc': `h2="${other}", http/1.1="${other}"; ma=3600; persist=1` })],
    ['content-location', other => ({ 'content-location': `http://${other}/` })],
    ['set-cookie', other => ({ 'set-cookie': `a=b; domain=${other}` })],
    ['proxy', other => ({ 'proxy-connection': 'keep-alive', proxy: `http://${other}` })],
  ])('%s', async (_, headersFor) => {
    const { client, asked, elsewhere } = await pointing(200, headersFor)
    for (let count = 0; count < 2; count++)
      expect(await client.call('list-services', { project_id: 'p' })).toHaveLength(1)
    expect(elsewhere).toEqual([])
    expect(asked.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined])
  })
})
