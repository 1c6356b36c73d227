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
  if (status !== 403 && status !== 429 && graphql === undefined) return undefined
  const retryAfter = parseRetryAfter(headers['retry-after'], date)
  if (retryAfter !== undefined) return { ...known, wait: retryAfter }
  const reset = Number(headers['x-ratelimit-reset'])
  if (headers['x-ratelimit-remaining'] === '0' && reset > 0)
    return { ...known, wait: Math.max(0, reset * 1000 - date) }
  const isLimited = status === 429 || graphql !== undefined || limitedWords.test(message ?? String(data))
  return isLimited ? { ...known, wait: usualWait } : undefined
}

/** REST and GraphQL have limits of their own. */
const kindOf = ({ route }: GitHubRequest) => (route === 'POST /graphql' ? 'GraphQL' : 'REST')

/**
 * The limits that are used up for longer than a step waits. Requests that they would refuse are not sent: GitHub blocks
 * those who go on asking.
 */
export class UsedLimits {
  readonly #ends = new Map<string, RateLimit & { end: number }>()
  readonly #seam: Pick<Seam, 'now'>

  constructor(seam: Pick<Seam, 'now'>) {
    this.#seam = seam
  }

  note(request: GitHubRequest, limit: RateLimit): void {
    this.#ends.set(kindOf(request), { ...limit, end: this.#seam.now() + limit.wait })
  }

  /** @throws GitHubRateLimitError while the limit of such requests is used up */
  assertLeft(request: GitHubRequest): void {
    const used = this.#ends.get(kindOf(request))
    const wait = (used?.end ?? 0) - this.#seam.now()
    if (used !== undefined && wait > 0) throw new GitHubRateLimitError(request.what, { ...used, wait })
  }
}
