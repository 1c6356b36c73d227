/** Sends HTTP requests with limits for time and size. */
import { finished } from 'node:stream/promises'
import { AnswerTooLargeError, RequestTimeoutError } from '#base/errors'
import { isLoopback } from '#base/loopback'
import type { HttpRequest, HttpResponse } from '#base/seam'
import { HttpConnection, interceptStep, type Proxies, unusableProxy } from './http-connection.ts'
import { transportFailure, unsentFailure } from './transport-failure.ts'
import type { Dispatcher } from './undici.ts'

/** Milliseconds until a request must be sent: name lookup, connection, proxy tunnel and TLS together. */
const connectTimeout = 10_000

/** Bytes that each chunk counts at least. A server may send each byte as its own chunk, which takes more memory. */
const leastChunk = 256

/** Also removes a byte order mark, which JSON.parse rejects. */
const decoder = new TextDecoder()

/** Counts each chunk of a body on arrival: a loop over the stream would let small chunks pile up uncounted. */
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

/** Sends a request. Rejects as soon as a time limit or signal ends it; the caller then closes the connection. */
async function exchange(request: HttpRequest, connection: HttpConnection): Promise<HttpResponse> {
  const { timeout, untilSent, signal: callerSignal, maxBytes } = request
  let isSent = false
  /** Aborted with the error of the request. */
  const controller = new AbortController()
  const { signal } = controller
  const onAbort = () => controller.abort(callerSignal?.reason)
  const abortUnsent = (reason: unknown) => {
    if (!isSent) controller.abort(reason)
  }
  const onAbortUnsent = () => abortUnsent(untilSent?.signal?.reason)
  const sendTimeout = Math.min(connectTimeout, timeout, untilSent?.timeout ?? timeout)
  const timers = [
    setTimeout(() => abortUnsent(unsentFailure(connection.phase, sendTimeout)), sendTimeout),
    setTimeout(() => controller.abort(new RequestTimeoutError(timeout)), timeout),
  ]
  callerSignal?.addEventListener('abort', onAbort)
  untilSent?.signal?.addEventListener('abort', onAbortUnsent)
  // undici calls this just before it writes to the socket. A request that was aborted earlier is never sent.
  const markSent = interceptStep('onRequestStart', () => {
    isSent ||= !signal.aborted
  })
  const send = async () => {
    const { origin, pathname, search } = new URL(request.url)
    const { statusCode, headers, body } = await connection.dispatcher.compose(markSent).request({
      origin,
      path: pathname + search,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal,
    })
    return { status: statusCode, headers: flatten(headers), body: await readBody(body, maxBytes) }
  }
  try {
    const { promise: ended, reject } = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => reject(signal.reason))
    return await Promise.race([send(), ended])
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AnswerTooLargeError) throw error
    throw transportFailure(error, isSent ? undefined : connection.phase)
  } finally {
    for (const timer of timers) clearTimeout(timer)
    callerSignal?.removeEventListener('abort', onAbort)
    untilSent?.signal?.removeEventListener('abort', onAbortUnsent)
  }
}

function openConnection(origin: string, proxies: Proxies | undefined): HttpConnection {
  try {
    return new HttpConnection(origin, proxies)
  } catch (error) {
    throw transportFailure(error, unusableProxy)
  }
}

/** Whether the environment names a proxy. undici uses an address in HTTP_PROXY for https as well. */
const namesProxy = () =>
  ['HTTP_PROXY', 'HTTPS_PROXY'].some(name => process.env[name] || process.env[name.toLowerCase()])

/** Sends requests with undici, through the proxy of the environment if there is one. Follows no redirect. */
export function createSend(): (request: HttpRequest) => Promise<HttpResponse> {
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
    const connection = unused.pop() ?? openConnection(origin, proxies)
    try {
      const response = await exchange(request, connection)
      unused.push(connection)
      return response
    } catch (error) {
      connection.close()
      throw error
    }
  }
}
