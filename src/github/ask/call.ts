/** Calls GitHub: sends a request, reads the answer or the failure, and retries. */
import * as z from 'zod/mini'
import type { Seam } from '#base/seam'
import { messageOf } from '#base/unknown-values'
import { parseRetryAfter, retryDelay } from '#client/retry'
import {
  GitHubRateLimitError,
  GitHubRefusalError,
  GitHubUnclearError,
  GitHubUnreachableError,
  type RateLimit,
} from './errors.ts'
import type { BuildRequest, GitHubAnswer, GitHubRequest } from './request.ts'

/** Milliseconds to wait if GitHub does not specify a time. */
const usualWait = 60_000

/**
 * Matches GitHub's messages about rate limits. Proxies and some servers remove the headers that distinguish a rate
 * limit from a missing permission, so that only the message does.
 */
const limitMessage = /\b(?:rate limit|abuse detection)/i

/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
function parseRateLimit(
  { status, headers, data }: GitHubAnswer,
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

/** Milliseconds for one request, by default. */
const usualTimeout = 10_000
/** The least milliseconds for a request, even after the deadline: then the comment can still report the failure. */
const leastTimeout = 2000
const maxAttempts = 3
/** Upper limit for an answer, in bytes. repository.ts requests pages that stay below it, with texts of any length. */
const maxBytes = 16 * 1024 * 1024

/** Calls GitHub. Rejects with a class of errors.ts, or with the signal's reason. */
export type GitHubCall = (request: GitHubRequest) => Promise<GitHubAnswer>

export interface GitHubCallOptions {
  /** Loads Octokit. Rejects if there is no token. */
  octokit: () => Promise<BuildRequest>
  send: Seam['send']
  seam: Pick<Seam, 'now' | 'date' | 'sleep' | 'random'>
  signal: AbortSignal
  /** On the clock of the seam's `now`. No retry starts after it, and no interruptible request lasts much longer. */
  deadline: number
  /** Milliseconds for one request. */
  timeout?: number
  /** Called before a failed request waits for `delay` milliseconds. */
  onRetry?: ((failure: unknown, delay: number) => void) | undefined
  /** Called once before requests wait for `delay` milliseconds because of the rate limit. */
  onLimit?: ((delay: number) => void) | undefined
}

const isRepeatable = ({ route, repeatable = !route.startsWith('POST ') }: GitHubRequest) => repeatable

function limitsOf(request: GitHubRequest, call: GitHubCallOptions) {
  const { seam, signal, deadline, timeout = usualTimeout } = call
  const left = Math.max(leastTimeout, deadline - seam.now())
  // A request that is not idempotent is not interrupted at the deadline: its result would be unknown.
  const untilAnswered = isRepeatable(request) ? Math.min(timeout, left) : timeout
  return { timeout: untilAnswered, untilSent: { timeout: left }, signal }
}

function parseBody(body: string, type = ''): unknown {
  if (!/^application\/json\b/i.test(type)) return body
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** Sends one request. Returns answers of every status. */
async function exchange(request: GitHubRequest, call: GitHubCallOptions): Promise<GitHubAnswer> {
  const { octokit, signal, send } = call
  const build = await octokit()
  try {
    const answer = await send({ ...build(request), maxBytes, ...limitsOf(request, call) })
    const { status, headers, body } = answer
    return { status, headers, data: parseBody(body, headers['content-type']) }
  } catch (failure) {
    signal.throwIfAborted()
    throw new GitHubUnreachableError(request.what, messageOf(failure), failure)
  }
}

const refusalBody = z.looseObject({ message: z.string() })

/** The error in an answer; undefined if the answer is the expected one. */
function readFailure(request: GitHubRequest, answer: GitHubAnswer, date: number): Error | undefined {
  const { what, permission } = request
  const { status } = answer
  const message = refusalBody.safeParse(answer.data).data?.message
  const limit = parseRateLimit(answer, message, date)
  if (limit !== undefined) return new GitHubRateLimitError(what, limit)
  if (status === (request.success ?? 200)) return undefined
  if (status < 300) return new GitHubUnclearError(what, 'not the expected one', status)
  if (status < 400) return new GitHubUnclearError(what, 'a redirect, which is not followed', status)
  if (message === undefined) return new GitHubUnclearError(what, "not the JSON of GitHub's API", status)
  if (status >= 500) return new GitHubUnclearError(what, `an internal error: ${message}`, status)
  return new GitHubRefusalError(what, { status, message, permission })
}

/** Whether to repeat the request after this number of failed attempts. A rate limit does not count as an attempt. */
function mayRetry(request: GitHubRequest, failure: unknown, attempts: number): boolean {
  if (failure instanceof GitHubRateLimitError) return true
  if (!isRepeatable(request) || attempts >= maxAttempts) return false
  if (failure instanceof GitHubUnreachableError) return !failure.isTooLarge
  return failure instanceof GitHubUnclearError && (failure.status ?? 0) >= 500
}

/** Creates the function that calls GitHub and retries after temporary failures. */
export function createCall(options: GitHubCallOptions): GitHubCall {
  const { seam, signal, deadline } = options
  /** The last rate limit. Requests before its end are not sent, because GitHub blocks clients that continue. */
  let limit: (RateLimit & { end: number }) | undefined
  /** Set once GitHub was unreachable at the deadline. Then every later call fails at once, to save time. */
  let deadlineFailure: GitHubUnreachableError | undefined
  let reportedEnd = Number.NEGATIVE_INFINITY

  async function attemptOnce(request: GitHubRequest): Promise<GitHubAnswer> {
    signal.throwIfAborted()
    const wait = (limit?.end ?? 0) - seam.now()
    if (limit && wait > 0) throw new GitHubRateLimitError(request.what, { ...limit, wait })
    if (deadlineFailure)
      throw new GitHubUnreachableError(request.what, deadlineFailure.problem, deadlineFailure)
    const answer = await exchange(request, options)
    const failure = readFailure(request, answer, seam.date())
    if (failure === undefined) return answer
    if (failure instanceof GitHubRateLimitError)
      limit = { ...failure.answer, end: seam.now() + failure.answer.wait }
    throw failure
  }

  function reportLimit(delay: number): void {
    const end = seam.now() + delay
    // Concurrent requests reach the limit together and wait until about the same time, so one report is enough.
    if (end <= reportedEnd + 1000) return
    reportedEnd = end
    options.onLimit?.(delay)
  }

  return async request => {
    const start = seam.now()
    let rateLimited = 0
    let attempts = 0
    for (;;) {
      try {
        return await attemptOnce(request)
      } catch (failure) {
        const now = seam.now()
        if (failure instanceof GitHubUnreachableError && now >= deadline) deadlineFailure ??= failure
        const limited = failure instanceof GitHubRateLimitError ? failure.answer : undefined
        if (limited) rateLimited++
        else attempts++
        const delay = retryDelay(rateLimited + attempts, seam.random(), limited?.wait)
        const end = limited ? latestRetry(request.isOptional === true, start, deadline) : deadline
        if (!mayRetry(request, failure, attempts) || now + delay > end) throw failure
        if (limited) reportLimit(delay)
        else options.onRetry?.(failure, delay)
        await seam.sleep(delay, signal)
      }
    }
  }
}
