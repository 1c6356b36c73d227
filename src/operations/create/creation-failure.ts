/** Classifies the failures of a creating call. */
import { AnswerTooLargeError, ApiError, UnreadableAnswerError } from '#base/errors'
import { isKeyRefusal, isNeverSent, isPassing } from '#client/retry'

/** Refused by the API's rate limit: nothing was created, and a retry may succeed. */
export const isTooSoon = (failure: unknown) => failure instanceof ApiError && failure.status === 429

/** Whether certainly nothing was created: the request was not sent, or the API or its key check refused it. */
export const isRefused = (failure: unknown) =>
  isNeverSent(failure) ||
  isKeyRefusal(failure) ||
  (failure instanceof ApiError && failure.status >= 400 && failure.status < 500 && failure.status !== 408)

/** Whether a refused request may have created a record. One that was not sent, or without a valid key, did not. */
export const mayHaveActed = (failure: unknown) =>
  !isNeverSent(failure) && !(isKeyRefusal(failure) && failure.status === 401)

/** An answer that is not the API's own (an HTML page, half an answer, a redirect) does not show the result. */
const isUnreadable = (failure: unknown) =>
  failure instanceof UnreadableAnswerError || failure instanceof AnswerTooLargeError

export const isDoubtful = (failure: unknown) =>
  (isPassing(failure) || isUnreadable(failure)) && !isRefused(failure)
