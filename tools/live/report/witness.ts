/** Records the requests of a walk. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Endpoint } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import { TransportError } from '#base/errors'
import type { HttpRequest, HttpResponse, Seam } from '#base/seam'
import { basePath, findRoute } from '../../../emulator/http/router.ts'
import type { Exchange } from './described.ts'
import type { Findings } from './findings.ts'

function parse(text: string): Pick<Exchange, 'body' | 'isJson'> {
  if (text.trim() === '') return { body: undefined, isJson: true }
  try {
    return { body: JSON.parse(text) as unknown, isJson: true }
  } catch {
    return { body: text, isJson: false }
  }
}

const idIn = (body: unknown) => {
  const { service_id, id = service_id } = (body ?? {}) as { service_id?: unknown; id?: unknown }
  return id === undefined ? undefined : String(id)
}

/** Headers of a single connection. */
const connectionHeaders = /^(?:host|connection|content-length|transfer-encoding|accept-encoding|keep-alive)$/

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}

/** Records every request of a run and of its steps, and the records that they create. */
export class Witness {
  /** Ids of created services with their times, and of deleted records. */
  readonly created = new Map<string, number>()
  readonly ending = new Set<string>()
  /** When the answer to a creating request was lost; undefined if none was. */
  lostAt: number | undefined
  readonly #inFlight = new Set<Promise<unknown>>()
  readonly #seam: Seam
  readonly #baseUrl: string
  readonly #findings: Findings

  constructor(seam: Seam, baseUrl: string, findings: Findings) {
    this.#seam = seam
    this.#baseUrl = baseUrl
    this.#findings = findings
  }

  /** The seam whose requests are recorded. */
  get seam(): Seam {
    return { ...this.#seam, send: request => this.#send(request) }
  }

  /** Resolves when no creating request is in progress. */
  async quiet(): Promise<void> {
    await Promise.allSettled(this.#inFlight)
  }

  async #send(request: HttpRequest): Promise<HttpResponse> {
    const path = request.url.slice(this.#baseUrl.length).split('?')[0] ?? ''
    const route = findRoute(request.method, path)
    if (route === undefined || 'allowed' in route) return await this.#seam.send(request)
    const { creates }: Endpoint = endpoints[route.operation]
    const id = Object.values(route.path).at(-1)
    // Only records that were read before are deleted, so this is not a new record that may still appear.
    if (request.method === 'DELETE' && id) this.ending.add(id)
    const sent = this.#seam.send(request)
    sent.catch(failure => {
      if (!request.signal?.aborted && !request.untilSent?.signal?.aborted)
        this.#findings.miss(route.operation, failure)
    })
    if (creates === undefined) return this.#see(route.operation, await sent)
    this.#inFlight.add(sent)
    try {
      const response = await sent
      const { body, isJson } = parse(response.body)
      const created = idIn(body)
      if (created !== undefined && creates === 'service') this.created.set(created, this.#seam.now())
      if (created === undefined && (response.status >= 500 || !isJson)) this.lostAt = this.#seam.now()
      return this.#see(route.operation, response)
    } catch (failure) {
      // A request abandoned before it is sent has no effect; later, no signal ends a creating request.
      const isUnsent =
        failure instanceof TransportError ? failure.neverSent : request.untilSent?.signal?.aborted
      if (!isUnsent) this.lostAt = this.#seam.now()
      throw failure
    } finally {
      this.#inFlight.delete(sent)
    }
  }

  #see(operation: EndpointName, response: HttpResponse): HttpResponse {
    const { status, headers } = response
    this.#findings.see({ operation, status, headers, ...parse(response.body) })
    return response
  }

  async #forward(request: IncomingMessage): Promise<HttpResponse> {
    const text = await readText(request)
    const given = Object.entries(request.headers).filter(([name]) => !connectionHeaders.test(name))
    return await this.#send({
      method: request.method ?? 'GET',
      url: this.#baseUrl + (request.url ?? '').replace(basePath, ''),
      headers: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
      ...(text !== '' && { body: text }),
      timeout: 60_000,
      maxBytes: 16 * 1024 * 1024,
    })
  }

  /** An address on this machine that forwards to the service, so that the requests of steps are recorded too. */
  async openRelay(): Promise<{ baseUrl: string; close: () => Promise<void> }> {
    const server = createServer((request, response) => {
      this.#forward(request).then(
        ({ status, headers, body }) => {
          const forwarded = ['content-type', 'date', 'retry-after'].flatMap(name =>
            headers[name] === undefined ? [] : [[name, headers[name]]],
          )
          response.writeHead(status, Object.fromEntries(forwarded)).end(body)
        },
        // As observed from here.
        () => response.destroy(),
      )
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const close = () =>
      new Promise<void>(done => {
        server.close(() => done())
        server.closeAllConnections()
      })
    return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`, close }
  }
}
