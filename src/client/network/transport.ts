// Sends HTTP requests with limits for time and size.

import { finished } from 'node:stream/promises'
import { AnswerTooLargeError, RequestTimeoutError } from '#base/errors'
import { isLoopback } from '#base/loopback'
import type { HttpRequest, HttpResponse } from '#base/seam'
import { abortable } from './abortable.ts'
import { before, HttpConnection, type HttpConnectionOptions, unusableProxy } from './http-connection.ts'
import { transportFailure, unsentFailure } from './transport-failure.ts'
import type { Dispatcher } from './undici.ts'

/** Milliseconds until a request must be sent: name lookup, connection, proxy tunnel and TLS together. */
const connectTimeout = 10_000

/**
 * Lower limit for the counted size of a chunk: a server may send each byte as its own chunk, which takes memory too.
 */
const leastChunk = 256

/** Removes a byte order mark, which JSON must not contain. */
const decoder = new TextDecoder()

/** The text of a body. Counts chunks as they arrive: in a loop over the body, small chunks could pile up uncounted. */
async function readBody(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  body.on('data', (chunk: Buffer) => {
    size += Math.max(leastChunk, chunk.length)
    if (size > maxBytes) body.destroy(new AnswerTooLargeError(`is larger than ${maxBytes} bytes`))
    else chunks.push(chunk)
  })
  await finished(body)
  return decoder.decode(Buffer.concat(chunks))
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )
}

class Attempt {
  #isSent = false
  readonly #request: HttpRequest
  readonly #connection: HttpConnection
  /** Aborted with the error of the request. */
  readonly #end = new AbortController()
  readonly #timers: NodeJS.Timeout[]

  constructor(request: HttpRequest, connection: HttpConnection) {
    const { timeout, untilSent, signal } = request
    this.#request = request
    this.#connection = connection
    const unsent = Math.min(connectTimeout, timeout, untilSent?.timeout ?? timeout)
    this.#timers = [
      setTimeout(() => this.#isSent || this.#end.abort(unsentFailure(connection.phase, unsent)), unsent),
      setTimeout(() => this.#end.abort(new RequestTimeoutError(timeout)), timeout),
    ]
    signal?.addEventListener('abort', this.#onAbort)
    untilSent?.signal?.addEventListener('abort', this.#onAbortUnsent)
  }

  readonly #onAbort = () => this.#end.abort(this.#request.signal?.reason)
  readonly #onAbortUnsent = () => this.#isSent || this.#end.abort(this.#request.untilSent?.signal?.reason)

  /**
   * Rejects as soon as a time limit or signal ends the request, in any phase. Closing the connection stops the rest.
   */
  async run(): Promise<HttpResponse> {
    const { signal } = this.#end
    try {
      return await abortable(this.#exchange(signal), signal)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof AnswerTooLargeError) throw error
      throw transportFailure(error, this.#isSent ? undefined : this.#connection.phase)
    } finally {
      for (const timer of this.#timers) clearTimeout(timer)
      this.#request.signal?.removeEventListener('abort', this.#onAbort)
      this.#request.untilSent?.signal?.removeEventListener('abort', this.#onAbortUnsent)
    }
  }

  async #exchange(signal: AbortSignal): Promise<HttpResponse> {
    const { method, url, headers: sent, body: text, maxBytes } = this.#request
    // The last moment before bytes reach the socket: a request abandoned earlier is never sent.
    const dispatcher = this.#connection.dispatcher.compose(
      before('onRequestStart', () => {
        this.#isSent ||= !signal.aborted
      }),
    )
    const { origin, pathname, search } = new URL(url)
    const { statusCode, headers, body } = await dispatcher.request({
      origin,
      path: pathname + search,
      method,
      headers: sent,
      body: text ?? null,
      signal,
    })
    return { status: statusCode, headers: flatten(headers), body: await readBody(body, maxBytes) }
  }
}

function openConnection(options: HttpConnectionOptions): HttpConnection {
  try {
    return new HttpConnection(options)
  } catch (error) {
    throw transportFailure(error, unusableProxy)
  }
}

/** Whether the environment names a proxy. undici uses an address in HTTP_PROXY for https as well. */
const namesProxy = () =>
  ['HTTP_PROXY', 'HTTPS_PROXY'].some(name => process.env[name] || process.env[name.toLowerCase()])

/** Sends requests with undici, through the proxy of the environment if there is one. Follows no redirect. */
export function createSend(): (request: HttpRequest) => Promise<HttpResponse> {
  /** Open, unused connections by origin. */
  const idle = new Map<string, HttpConnection[]>()
  return async request => {
    const url = new URL(request.url)
    const { origin } = url
    // Plain http to this machine bypasses the proxy, which would otherwise receive the keys in clear text.
    const isProxied = (url.protocol === 'https:' || !isLoopback(url)) && namesProxy()
    const proxies = isProxied ? await import('./undici-proxies.ts') : undefined
    request.signal?.throwIfAborted()
    request.untilSent?.signal?.throwIfAborted()
    const unused = idle.get(origin) ?? []
    idle.set(origin, unused)
    const connection = unused.pop() ?? openConnection({ origin, proxies })
    try {
      const response = await new Attempt(request, connection).run()
      unused.push(connection)
      return response
    } catch (error) {
      connection.end()
      throw error
    }
  }
}
