/** Recognizes GitHub's rate limits, and waits for their end. */
import * as z from 'zod/mini'
import type { Seam } from '#base/seam'
import { parseRetryAfter } from '#client/retry'
import { GitHubRateLimitError, type RateLimit } from './errors.ts'
import type { GitHubAnswer, GitHubRequest } from './exchange.ts'

/** Milliseconds to wait if GitHub does not specify a time. */
const usualWait = 60_000

const limitedGraphql = z.looseObject({
  errors: z.array(z.looseObject({ type: z.optional(z.string()), message: z.optional(z.string()) })),
})

/** The message of a rate limit in a GraphQL answer, which has the status of success; undefined if there is none. */
function graphqlLimit(data: unknown): string | undefined {
  const errors = limitedGraphql.safeParse(data).data?.errors ?? []
  const limit = errors.find(({ type }) => type === 'RATE_LIMITED')
  return limit && (limit.message ?? limit.type)
}

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
  const graphql = graphqlLimit(data)
  const common = { status, message: graphql ?? message ?? 'no message' }
  const isUsedUp = headers['x-ratelimit-remaining'] === '0'
  const isShared = graphql === undefined && !isUsedUp
  if (status !== 403 && status !== 429 && graphql === undefined) return undefined
  const retryAfter = parseRetryAfter(headers['retry-after'], date)
  if (retryAfter !== undefined) return { ...common, isShared, wait: retryAfter }
  const reset = Number(headers['x-ratelimit-reset'])
  if (isUsedUp && reset > 0) return { ...common, isShared, wait: Math.max(0, reset * 1000 - date) }
  const isLimited = status === 429 || graphql !== undefined || limitMessage.test(message ?? String(data))
  return isLimited ? { ...common, isShared, wait: usualWait } : undefined
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

/** REST and GraphQL have separate primary limits, and share the secondary limits. */
const kindOf = ({ route }: GitHubRequest) => (route === 'POST /graphql' ? 'GraphQL' : 'REST')

/** The rate limits in force. Requests under a limit are not sent, because GitHub blocks clients that continue. */
export function createRateLimits(seam: Pick<Seam, 'now'>) {
  const ends = new Map<string, RateLimit & { end: number }>()
  return {
    add(request: GitHubRequest, limit: RateLimit): void {
      const kind = limit.isShared ? 'all' : kindOf(request)
      ends.set(kind, { ...limit, end: seam.now() + limit.wait })
    },

    /** @throws GitHubRateLimitError while a limit for such requests is in force */
    assertNotLimited(request: GitHubRequest): void {
      for (const kind of ['all', kindOf(request)]) {
        const limit = ends.get(kind)
        const wait = (limit?.end ?? 0) - seam.now()
        if (limit !== undefined && wait > 0) throw new GitHubRateLimitError(request.what, { ...limit, wait })
      }
    },
  }
}
