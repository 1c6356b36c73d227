import type { Endpoint } from '#api/endpoint'
import { ApiError, RequestTimeoutError, TransportError, UnreadableAnswerError } from '#base/errors'
import { parseHttpDate } from '#base/timestamp'

/** Full jitter: a pause is any time between nothing and base × 2ⁿ, but at most the cap. Milliseconds. */
const base = 500
const cap = 20_000

/** Statuses that mean "not now", from the API or from a proxy: worth another try. */
const passingStatuses = [408, 429, 500, 502, 503, 504]

/** Whether the same request may succeed later. */
export function isPassing(failure: unknown): boolean {
  if (failure instanceof TransportError || failure instanceof RequestTimeoutError) return true
  if (failure instanceof ApiError) return passingStatuses.includes(failure.status)
  // An HTML page with a 404 means a wrong address; with a 200 or a 502, a proxy in trouble.
  return (
    failure instanceof UnreadableAnswerError &&
    (failure.status < 300 || passingStatuses.includes(failure.status))
  )
}

/** Whether the key was refused: by the API in its own words, or by a gateway before it in any others. */
export const isKeyRefusal = (failure: unknown): failure is ApiError | UnreadableAnswerError =>
  (failure instanceof ApiError || failure instanceof UnreadableAnswerError) &&
  (failure.status === 401 || failure.status === 403)

/** Whether the request certainly reached no server: name not found, refused, TLS not established. */
export function isNeverSent(failure: unknown): boolean {
  return failure instanceof TransportError && failure.neverSent
}

/** Whether the server certainly did nothing: the request never reached it, or was turned down with 429. */
export function isUnprocessed(failure: unknown): boolean {
  return (
    isNeverSent(failure) ||
    ((failure instanceof ApiError || failure instanceof UnreadableAnswerError) && failure.status === 429)
  )
}

/**
 * Whether a failed call may simply be sent again (docs/internals/guarantees.md, "Retries"). GET, DELETE and a
 * POST that sets a value are idempotent. Any other POST may be repeated only if it was certainly not processed; a
 * creating POST only if it never reached a server: in all other cases the caller must look for its record first. What
 * would fail again in the same way, as on an untrusted certificate, is not repeated.
 */
export function isRepeatable(row: Endpoint, failure: unknown): boolean {
  if (failure instanceof TransportError && failure.isLasting) return false
  if (row.method !== 'POST' || row.repeatable) return isPassing(failure)
  return row.creates === undefined ? isUnprocessed(failure) : isNeverSent(failure)
}

/** Whether a change that is not idempotent may have been made although the call failed. Not for creating calls. */
export function isUncertainChange(row: Endpoint, failure: unknown): failure is Error {
  const isOnce = row.method === 'POST' && !row.repeatable && row.creates === undefined
  return isOnce && isPassing(failure) && !isUnprocessed(failure)
}

/**
 * A Retry-After header (RFC 9110 section 10.2.3: seconds, or a date) as milliseconds from `date`; undefined if it is
 * missing or neither.
 */
export function parseRetryAfter(header: string | undefined, date: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000
  const at = parseHttpDate(header)
  return at === undefined ? undefined : Math.max(0, at - date)
}

/** Milliseconds before try number `attempt` + 1, `attempt` counting from 1. */
export function retryDelay(attempt: number, random: number, retryAfter: number | undefined): number {
  const jittered = random * Math.min(cap, base * 2 ** (attempt - 1))
  return Math.max(jittered, retryAfter ?? 0)
}

/** The failed tries of a call: those that count as attempts, and those that the server turned down with 429. */
export interface Failures {
  counted: number
  tooMany: number
}

const isTooMany = (failure: unknown) =>
  (failure instanceof ApiError || failure instanceof UnreadableAnswerError) && failure.status === 429

/** The failures with one more. A 429 means that only time is missing, so it is no attempt, unless a call must not wait. */
export function countFailure({ counted, tooMany }: Failures, failure: unknown, mustHurry: boolean): Failures {
  return isTooMany(failure) && !mustHurry
    ? { counted, tooMany: tooMany + 1 }
    : { counted: counted + 1, tooMany }
}

/** Whether a failed call has another try. A call of a single attempt is never repeated. */
export function mayRetry(row: Endpoint, failure: unknown, { counted }: Failures, attempts: number): boolean {
  return attempts > 1 && counted < attempts && isRepeatable(row, failure)
}

/** The Retry-After header of a failure's answer. */
export function retryAfterOf(failure: unknown): string | undefined {
  return failure instanceof ApiError || failure instanceof UnreadableAnswerError
    ? failure.retryAfter
    : undefined
}
