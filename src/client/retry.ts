/** Classifies failed requests: whether the server may have processed them, and whether and when to retry. */
import type { Endpoint } from '#api/endpoint'
import {
  AnswerError,
  AnswerTooLargeError,
  ApiError,
  isApiError,
  RequestTimeoutError,
  TransportError,
  UnreadableAnswerError,
} from '#base/errors'
import { parseHttpDate } from '#base/timestamp'

/** Milliseconds. Full jitter: a pause is a random time up to base × 2ⁿ, but at most the cap. */
const base = 500
const cap = 20_000

const temporaryStatuses = [408, 429, 500, 502, 503, 504]

/** Whether the failure may pass: the network failed, or the server or a proxy had a temporary problem. */
export function isTemporary(failure: unknown): boolean {
  if (failure instanceof TransportError || failure instanceof RequestTimeoutError) return true
  if (!(failure instanceof AnswerError)) return false
  // An HTML page with a 404 means a wrong address; with a 200 or a 502, a failing proxy.
  return (
    temporaryStatuses.includes(failure.status) || (failure.status < 300 && !(failure instanceof ApiError))
  )
}

/** Whether the API, or a gateway before it, refused the key. */
export const isKeyRefusal = (failure: unknown): failure is AnswerError =>
  failure instanceof AnswerError && (failure.status === 401 || failure.status === 403)

/** Whether the request certainly reached no server: name not found, connection refused, TLS not established. */
const isNeverSent = (failure: unknown) => failure instanceof TransportError && failure.neverSent

/** Whether the API, or a gateway before it, answered 429. */
export const hasStatus429 = (failure: unknown) => failure instanceof AnswerError && failure.status === 429

/** Whether the server certainly did nothing: the request never arrived, or got a 429. */
export const isUnprocessed = (failure: unknown) => isNeverSent(failure) || hasStatus429(failure)

/** Whether the API itself refused the call by its rate limit: nothing was done, and a retry may succeed. */
export const isRateLimited = (failure: unknown) => isApiError(failure, 429)

/** Whether a creating call certainly created nothing: it was not sent, or the API or its key check refused it. */
export const isRefused = (failure: unknown) =>
  isNeverSent(failure) ||
  isKeyRefusal(failure) ||
  (failure instanceof ApiError && failure.status >= 400 && failure.status < 500 && failure.status !== 408)

/** Whether a refused request may have had an effect. A request that was not sent, or had no valid key, had none. */
export const mayHaveActed = (failure: unknown) =>
  !isNeverSent(failure) && !(isKeyRefusal(failure) && failure.status === 401)

/** Whether the answer is not the API's own, such as an HTML page: then it does not show the result. */
export const isUnreadable = (failure: unknown) =>
  failure instanceof UnreadableAnswerError || failure instanceof AnswerTooLargeError

/** Whether a failed creating call may have created a record. */
export const isDoubtful = (failure: unknown) =>
  (isTemporary(failure) || isUnreadable(failure)) && !isRefused(failure)

/**
 * Whether a failed request may be repeated without a check (docs/internals/guarantees.md, "Retries").
 * - GET, DELETE and a POST that sets a value are idempotent.
 * - Any other POST may be repeated only if it was certainly not processed.
 * - A creating POST may be repeated only if it never reached a server. Otherwise the caller must look for its
 *   record first.
 * - A request is not repeated if it would fail in the same way, such as with an untrusted certificate.
 */
export function isRepeatable(row: Endpoint, failure: unknown): boolean {
  if (failure instanceof TransportError && failure.isLasting) return false
  if (row.method !== 'POST' || row.repeatable) return isTemporary(failure)
  return row.creates === undefined ? isUnprocessed(failure) : isNeverSent(failure)
}

/** Whether a change that is not idempotent may have been made although the call failed. False for creating calls. */
export function isUncertainChange(row: Endpoint, failure: unknown): failure is Error {
  const isNotIdempotent = row.method === 'POST' && !row.repeatable && row.creates === undefined
  return isNotIdempotent && isTemporary(failure) && !isUnprocessed(failure)
}

/** Milliseconds from `date` until the time in a Retry-After header (RFC 9110 section 10.2.3), if it is valid. */
export function parseRetryAfter(header: string | undefined, date: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000
  const at = parseHttpDate(header)
  return at === undefined ? undefined : Math.max(0, at - date)
}

/** `parseRetryAfter` for the answer of a failed call. */
export const retryAfterOf = (failure: unknown, date: number): number | undefined =>
  failure instanceof AnswerError ? parseRetryAfter(failure.retryAfter, date) : undefined

/** Milliseconds before attempt number `attempt` + 1; `attempt` starts at 1. */
export function retryDelay(attempt: number, random: number, retryAfter: number | undefined): number {
  const jittered = random * Math.min(cap, base * 2 ** (attempt - 1))
  return Math.max(jittered, retryAfter ?? 0)
}
