import { timingSafeEqual } from 'node:crypto'
import type { EndpointName } from '../../src/api/endpoints.ts'
import type { Keys } from '../kept/keys.ts'
import type { DatabaseFacts } from '../store/handler.ts'
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

/**
 * Whether an Authorization header is `Basic base64(public:secret)` of these keys. The time of a comparison tells only
 * the length of the keys, which is always the same.
 */
export function isAuthorized(header: string | undefined, { publicKey, secretKey }: Keys): boolean {
  const [, credentials] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(header ?? '') ?? []
  const given = Buffer.from(credentials ?? '', 'base64')
  const expected = Buffer.from(`${publicKey}:${secretKey}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * Checks the key, route and fields of a request, and lets the row's handler answer it. Pure, never throws. `route` is
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
    if (!isAuthorized(request.authorization, keys)) {
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
    return store.call<EndpointName>(route.operation, params as never, databases)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return refuse(error)
  }
}
