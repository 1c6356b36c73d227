/** Records the requests of a walk. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Endpoint } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import { TransportError } from '#base/errors'
import type { HttpRequest, HttpResponse, Seam } from '#base/seam'
import { messageOf } from '#base/unknown-values'
import { basePath, findRoute } from '../../../emulator/http/router.ts'
import type { Exchange } from './described.ts'
import type { Findings } from './findings.ts'

function parse(body: string): Pick<Exchange, 'body' | 'isJson'> {
  if (body.trim() === '') return { body: undefined, isJson: true }
  try {
    return { body: JSON.parse(body) as unknown, isJson: true }
  } catch {
    return { body, isJson: false }
  }
}

/** Headers of a single connection. */
const connectionHeaders = /^(?:host|connection|content-length|transfer-encoding|accept-encoding|keep-alive)$/

const forwardedHeaders = new Set(['content-type', 'date', 'retry-after'])

/** Records every request of a run and of its steps, and the records that they create. */
export class Witness {
  /** Ids of created services with their times, and of deleted records. */
  readonly created = new Map<string, number>()
  readonly ending = new Set<string>()
  /** When the answer to a creating request was lost; undefined if none was. */
  lostAt: number | undefined
  /** The seam whose requests are recorded. */
  readonly seam: Seam
  readonly #inFlight = new Set<Promise<unknown>>()
  readonly #real: Seam
  readonly #baseUrl: string
  readonly #findings: Findings

  constructor(real: Seam, baseUrl: string, findings: Findings) {
    this.seam = { ...real, send: request => this.#send(request) }
    this.#real = real
    this.#baseUrl = baseUrl
    this.#findings = findings
  }

  /** Resolves when no creating request is in progress. */
  async quiet(): Promise<void> {
    await Promise.allSettled(this.#inFlight)
  }

  async #send(request: HttpRequest): Promise<HttpResponse> {
    const path = request.url.slice(this.#baseUrl.length).split('?')[0] ?? ''
    const route = findRoute(request.method, path)
    const sent = this.#real.send(request)
    if (route === undefined || 'allowed' in route) return await sent
    const { creates }: Endpoint = endpoints[route.operation]
    const id = Object.values(route.path).at(-1)
    // Only records that were read before are deleted, so this is not a new record that may still appear.
    if (request.method === 'DELETE' && id) this.ending.add(id)
    if (creates) this.#inFlight.add(sent)
    try {
      const response = await sent
      if (creates) this.#noteCreation(creates, response)
      this.#see(route.operation, response)
      return response
    } catch (failure) {
      const isAbandoned = request.untilSent?.signal?.aborted
      if (!request.signal?.aborted && !isAbandoned)
        this.#findings.differ(`${route.operation}: no answer: ${this.#findings.clean(messageOf(failure))}`)
      // A request abandoned before it is sent has no effect; later, no signal ends a creating request.
      const isUnsent = failure instanceof TransportError ? failure.neverSent : isAbandoned
      if (creates && !isUnsent) this.lostAt = this.#real.now()
      throw failure
    } finally {
      this.#inFlight.delete(sent)
    }
  }

  #noteCreation(creates: Endpoint['creates'], { status, body: answer }: HttpResponse): void {
    const { body, isJson } = parse(answer)
    const { service_id, id = service_id } = (body ?? {}) as { service_id?: unknown; id?: unknown }
    if (id !== undefined && creates === 'service') this.created.set(String(id), this.#real.now())
    if (id === undefined && (status >= 500 || !isJson)) this.lostAt = this.#real.now()
  }

  #see(operation: EndpointName, { status, headers, body }: HttpResponse): void {
    this.#findings.see({ operation, status, headers, ...parse(body) })
  }

  async #forward(request: IncomingMessage): Promise<HttpResponse> {
    const body = await text(request)
    const given = Object.entries(request.headers).filter(([name]) => !connectionHeaders.test(name))
    return await this.#send({
      method: request.method ?? 'GET',
      url: this.#baseUrl + (request.url ?? '').replace(basePath, ''),
      headers: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
      ...(body !== '' && { body }),
      timeout: 60_000,
      maxBytes: 16 * 1024 * 1024,
    })
  }

  /** An address on this machine that forwards to the service, so that the requests of steps are recorded too. */
  async openRelay(): Promise<{ baseUrl: string; close: () => void }> {
    const server = createServer((request, response) => {
      this.#forward(request).then(
        ({ status, headers, body }) => {
          const forwarded = Object.entries(headers).filter(([name]) => forwardedHeaders.has(name))
          response.writeHead(status, Object.fromEntries(forwarded)).end(body)
        },
        // As observed from here.
        () => response.destroy(),
      )
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const close = () => server.close().closeAllConnections()
    return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`, close }
  }
}
