import { AnswerTooLargeError, ApiError, UnreadableAnswerError } from '#base/errors'
import { isKeyRefusal, isNeverSent, isPassing } from '#client/retry'

/** Refused by the API's rate limit: nothing was created, and a later try may succeed. */
export const isTooSoon = (failure: unknown) => failure instanceof ApiError && failure.status === 429

/**
 * Whether certainly nothing was created: the request never left, the API refused it with its own JSON error, or the key
 * was refused.
 */
export const isRefused = (failure: unknown) =>
  isNeverSent(failure) ||
  isKeyRefusal(failure) ||
  (failure instanceof ApiError && failure.status >= 400 && failure.status < 500 && failure.status !== 408)

/** Whether a refusal may hide a record all the same. A request that never left, or had no valid key, made none. */
export const mayHaveActed = (failure: unknown) =>
  !isNeverSent(failure) && !(isKeyRefusal(failure) && failure.status === 401)

/** An answer that is not the API's own (an HTML page, half an answer, a redirect) does not tell what was done. */
const isUnreadable = (failure: unknown) =>
  failure instanceof UnreadableAnswerError || failure instanceof AnswerTooLargeError

/** Whether the failed call may have created something all the same. */
export const isDoubtful = (failure: unknown) =>
  (isPassing(failure) || isUnreadable(failure)) && !isRefused(failure)
