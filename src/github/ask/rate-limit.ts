/** Recognizes GitHub's rate limits, and limits the waits for their end. */
import { parseRetryAfter } from '#client/retry'
import type { RateLimit } from './errors.ts'
import type { GitHubAnswer } from './exchange.ts'

/** Milliseconds to wait if GitHub does not specify a time. */
const usualWait = 60_000

/**
 * Matches GitHub's messages about rate limits. Proxies and some servers remove the headers that distinguish a rate
 * limit from a missing permission, so that only the message does.
 */
const limitMessage = /\b(?:rate limit|abuse detection)/i

/**
 * The rate limit in an answer; undefined if there is none.
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
export function parseRateLimit(
  { status, headers, data }: GitHubAnswer & { status: number },
  message: string | undefined,
  date: number,
): RateLimit | undefined {
  if (status !== 403 && status !== 429) return undefined
  const limit = { status, message: message ?? 'no message' }
  const retryAfter = parseRetryAfter(headers['retry-after'], date)
  if (retryAfter !== undefined) return { ...limit, wait: retryAfter }
  const reset = Number(headers['x-ratelimit-reset'])
  if (headers['x-ratelimit-remaining'] === '0' && reset > 0)
    return { ...limit, wait: Math.max(0, reset * 1000 - date) }
  const isLimited = status === 429 || limitMessage.test(message ?? String(data))
  return isLimited ? { ...limit, wait: usualWait } : undefined
}

/** Milliseconds that optional work, such as a comment, waits for rate limits at most. */
const longestOptionalWait = 120_000
/** Milliseconds that required requests leave for the work after them. */
const reserve = 300_000

/**
 * The time after which a request no longer waits for rate limits. All times are on the clock of the seam's `now`. A
 * required request leaves the step `reserve`, or half of the remaining time if that is less.
 */
export function latestRetry(isOptional: boolean, start: number, deadline: number): number {
  const left = Math.max(0, deadline - start)
  return isOptional ? start + Math.min(longestOptionalWait, left) : deadline - Math.min(reserve, left / 2)
}
