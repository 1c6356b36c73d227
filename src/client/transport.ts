import { finished } from 'node:stream/promises'
import { Agent, type Dispatcher, EnvHttpProxyAgent, request as undiciRequest } from 'undici'
import { AnswerTooLargeError, RequestTimeoutError, TransportError } from './errors.ts'
import type { HttpRequest, HttpResponse } from './seam.ts'

/** Milliseconds to connect, TLS included (DESIGN rule 10). */
const connectTimeout = 10_000

/** Failures that come before the request is written: name lookup, connecting, and the certificate check. */
const neverSentCodes = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** Errors of several addresses (IPv4 and IPv6) come bundled; each of them has its own code. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  // A route may also be lost while the answer is awaited; then the request was sent.
  if ('syscall' in error && (error.syscall === 'read' || error.syscall === 'write')) own.push('SENT')
  const bundled = error instanceof AggregateError ? error.errors.flatMap(codesOf) : []
  return [...own, ...bundled, ...codesOf(error.cause)]
}

const isAboutCertificate = (code: string) => /CERT|TLS|SIGNATURE/.test(code)

function describeFailure(error: unknown, [code]: string[]): string {
  // Node adds the advice of a flag that nobody can give to the node of an action.
  const message = (error instanceof Error ? error.message : String(error)).replace(
    /; if the root CA is .*/,
    '',
  )
  return (message || 'no connection') + (code && !message.includes(code) ? ` (${code})` : '')
}

function describeUntrusted(failure: string): { message: string; next: string } {
  return {
    message: `the certificate of the server is not trusted: ${failure}`,
    next: 'check base_url; if the server is yours, set NODE_EXTRA_CA_CERTS to the file of its certificate authority',
  }
}

function transportError(error: unknown): TransportError {
  const codes = codesOf(error)
  // One address refused and another reset is still a doubt: every code must be a safe one.
  const neverSent = codes.length > 0 && codes.every(code => neverSentCodes.has(code))
  const failure = describeFailure(error, codes)
  const { message, ...advice } = codes.some(isAboutCertificate)
    ? describeUntrusted(failure)
    : { message: failure }
  return new TransportError(message, { neverSent, cause: error, ...advice })
}

/** Bytes of memory that a chunk takes whatever is in it: a server may send every byte as one of its own. */
const leastChunk = 256

/** The text of a body. Chunks are taken as they come: a loop over the body would let small ones pile up before it. */
async function readBody(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  body.on('data', (chunk: Buffer) => {
    size += Math.max(leastChunk, chunk.length)
    if (size > maxBytes) body.destroy(new AnswerTooLargeError(maxBytes))
    else chunks.push(chunk)
  })
  await finished(body)
  return Buffer.concat(chunks).toString('utf8')
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )
}

async function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { statusCode, headers, body } = await undiciRequest(request.url, {
    dispatcher,
    method: request.method as Dispatcher.HttpMethod,
    headers: request.headers,
    body: request.body ?? null,
    signal,
  })
  return { status: statusCode, headers: flatten(headers), body: await readBody(body, request.maxBytes) }
}

/** Sends requests over undici, through the proxy of the environment if there is one; follows no redirect. */
export function createSend(): (request: HttpRequest) => Promise<HttpResponse> {
  const options = { connect: { timeout: connectTimeout }, allowH2: false }
  const proxied = new EnvHttpProxyAgent(options)
  // Plain http is for this machine only (DESIGN rule 10): a proxy would be handed the keys in clear text.
  const direct = new Agent(options)
  return async request => {
    // It takes whole milliseconds only.
    const timeout = AbortSignal.timeout(Math.ceil(request.timeout))
    const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout
    try {
      return await exchange(request.url.startsWith('https:') ? proxied : direct, request, signal)
    } catch (error) {
      request.signal?.throwIfAborted()
      if (timeout.aborted) throw new RequestTimeoutError(request.timeout)
      throw error instanceof AnswerTooLargeError ? error : transportError(error)
    }
  }
}
