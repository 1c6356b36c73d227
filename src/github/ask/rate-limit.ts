import * as z from 'zod/mini'
import type { Seam } from '#base/seam'
import { parseRetryAfter } from '#client/retry'
import { GitHubRateLimitError, type RateLimit } from './errors.ts'
import type { GitHubAnswer, GitHubRequest } from './exchange.ts'

/** Milliseconds to wait where GitHub does not say for how long. */
const usualWait = 60_000

const limitedGraphql = z.looseObject({
  errors: z.array(z.looseObject({ type: z.optional(z.string()), message: z.optional(z.string()) })),
})

/** GraphQL reports a limit with the status of success, by a type of its own. */
function graphqlLimit(data: unknown): string | undefined {
  const errors = limitedGraphql.safeParse(data).data?.errors ?? []
  const found = errors.find(({ type }) => type === 'RATE_LIMITED')
  return found && (found.message ?? 'RATE_LIMITED')
}

/** Proxies and some servers lose the headers that tell a rate limit from a missing permission: then only words are left. */
const limitedWords = /\b(?:rate limit|abuse detection)/i

/**
 * The rate limit that an answer tells of; undefined when it is about something else.
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
export function parseRateLimit(
  { status, headers, data }: GitHubAnswer & { status: number },
  message: string | undefined,
  date: number,
): RateLimit | undefined {
  const graphql = graphqlLimit(data)
  const known = { status, message: graphql ?? message ?? 'no message' }
  const isUsedUp = headers['x-ratelimit-remaining'] === '0'
  const isShared = graphql === undefined && !isUsedUp
  if (status !== 403 && status !== 429 && graphql === undefined) return undefined
  const retryAfter = parseRetryAfter(headers['retry-after'], date)
  if (retryAfter !== undefined) return { ...known, isShared, wait: retryAfter }
  const reset = Number(headers['x-ratelimit-reset'])
  if (isUsedUp && reset > 0) return { ...known, isShared, wait: Math.max(0, reset * 1000 - date) }
  const isLimited = status === 429 || graphql !== undefined || limitedWords.test(message ?? String(data))
  return isLimited ? { ...known, isShared, wait: usualWait } : undefined
}

/** Milliseconds for which optional work, such as a comment, waits for rate limits at most. */
const optionalPatience = 120_000
/** Milliseconds that waiting for rate limits leaves the step for the work that depends on the answer. */
const reserve = 300_000

/**
 * Until when a request waits for rate limits: a moment of the seam's `now`, as `start` and `deadline` are. A decision
 * leaves the step `reserve`, or half of its time where that is less.
 */
export function endOfPatience(isOptional: boolean, start: number, deadline: number): number {
  const left = Math.max(0, deadline - start)
  return isOptional ? start + Math.min(optionalPatience, left) : deadline - Math.min(reserve, left / 2)
}

/** REST and GraphQL have primary limits of their own. Secondary limits are shared. */
const kindOf = ({ route }: GitHubRequest) => (route === 'POST /graphql' ? 'GraphQL' : 'REST')

/** The rate limits in force. Requests that they would refuse are not sent: GitHub blocks clients that go on asking. */
export class RateLimits {
  readonly #ends = new Map<string, RateLimit & { end: number }>()
  readonly #seam: Pick<Seam, 'now'>

  constructor(seam: Pick<Seam, 'now'>) {
    this.#seam = seam
  }

  note(request: GitHubRequest, limit: RateLimit): void {
    const kind = limit.isShared ? 'all' : kindOf(request)
    this.#ends.set(kind, { ...limit, end: this.#seam.now() + limit.wait })
  }

  /** @throws GitHubRateLimitError while a limit of such requests is in force */
  assertNone(request: GitHubRequest): void {
    for (const kind of ['all', kindOf(request)]) {
      const limit = this.#ends.get(kind)
      const wait = (limit?.end ?? 0) - this.#seam.now()
      if (limit !== undefined && wait > 0) throw new GitHubRateLimitError(request.what, { ...limit, wait })
    }
  }
}
