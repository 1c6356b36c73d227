/** Answers calls of the API. */
import { timingSafeEqual } from 'node:crypto'
import type { EndpointName } from '#api/endpoints'
import type { Keys } from '../persistence/keys.ts'
import type { Caller, DatabaseFacts } from '../store/handler.ts'
import { Refusal } from '../store/refusal.ts'
import { type Reply, refuse, type Store } from '../store/store.ts'
import { readParameters } from './parameters.ts'
import { findRoute } from './router.ts'

/** A request, whether it came over HTTP or from a simulation. */
export interface ApiRequest {
  method: string
  /** After the base path. */
  path: string
  query: URLSearchParams
  authorization: string | undefined
  contentType: string | undefined
  body: string
}

/** The time of a comparison depends only on the length of the keys, which is always the same. */
function isEqual(given: Buffer, expected: string): boolean {
  const wanted = Buffer.from(expected)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/**
 * The caller in an Authorization header: the key with `Basic base64(public:secret)`, a person with the secret
 * key as `Bearer` token (docs/internals/api.md, "Choices of the emulator"); undefined for any other header.
 */
export function callerOf(header: string | undefined, { publicKey, secretKey }: Keys): Caller | undefined {
  const [, scheme = '', given = ''] = /^(Basic|Bearer) +(\S+)$/i.exec(header ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return isEqual(Buffer.from(given), secretKey) ? 'person' : undefined
  return isEqual(Buffer.from(given, 'base64'), `${publicKey}:${secretKey}`) ? 'key' : undefined
}

/**
 * Checks the key, route and fields of a request, and calls the row's handler. Pure, never throws. `route` is
 * the result of `findRoute`, for callers that already have it.
 */
export function answer(
  store: Store,
  keys: Keys,
  request: ApiRequest,
  databases?: DatabaseFacts,
  route = findRoute(request.method, request.path),
): Reply {
  try {
    const caller = callerOf(request.authorization, keys)
    if (caller === undefined) {
      throw new Refusal(401, 'UNAUTHORIZED', 'the API key is missing or wrong')
    }
    if (route === undefined) throw new Refusal(404, 'NOT_FOUND', `no such endpoint: ${request.path}`)
    if ('allowed' in route) {
      const { method, path } = request
      const allowed = route.allowed.join(', ')
      throw new Refusal(405, 'METHOD_NOT_ALLOWED', `${path} takes ${allowed}, not ${method}`, {
        allow: allowed,
      })
    }
    const params = readParameters(route, request.query, request.contentType ?? '', request.body)
    // The row's own schemas have just checked the fields.
    return store.call<EndpointName>(route.operation, params as never, databases, caller)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return refuse(error)
  }
}
