/** Reads the target, the route and the body of a request. */
import type { IncomingMessage } from 'node:http'
import type { ApiRequest } from './answer.ts'
import { basePath, findRoute, type Route } from './router.ts'

/** The target of a request. */
export interface Target {
  path: string
  query: URLSearchParams
}

/**
 * Splits an address without `new URL`, which throws for some addresses of requests. It may have the host
 * before the path, as from clients that use a proxy (RFC 9112, section 3.2.2).
 */
export function readTarget(url: string): Target {
  const [path = '', ...query] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?')
  return { path, query: new URLSearchParams(query.join('?')) }
}

/** The route of a request. */
export function routeOf(method: string, pathname: string): Route | undefined {
  if (!pathname.startsWith(`${basePath}/`)) return undefined
  const route = findRoute(method, pathname.slice(basePath.length))
  return route && 'operation' in route ? route : undefined
}

/** The request in the form of the API. */
export function toApiRequest(request: IncomingMessage, target: Target, body: string): ApiRequest {
  return {
    method: request.method ?? '',
    path: target.path.slice(basePath.length),
    query: target.query,
    authorization: request.headers.authorization,
    contentType: request.headers['content-type'],
    body,
  }
}

/**
 * The body as text; undefined if it has more than `limit` bytes. Even then it is read, because the caller is
 * still sending it.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  // One of these headers announces a body (RFC 9112, section 6.3). Waiting for the end of a missing body takes a while.
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (length === undefined && encoding === undefined) return ''
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
  }
  return size <= limit ? Buffer.concat(chunks).toString() : undefined
}

/** Parses a body; returns undefined if it is empty or not JSON. */
export function parseBody(body: string): unknown {
  if (body === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
