/** Calls GitHub: sends a request, reads the answer or the failure, and retries. */
import * as z from 'zod/mini'
import { messageOf } from '#base/errors'
import type { HttpRequest, Seam } from '#base/seam'
import { retryDelay } from '#client/retry'
import {
  GitHubRateLimitError,
  GitHubRefusalError,
  GitHubUnclearError,
  GitHubUnreachableError,
  isDoubt,
} from './errors.ts'
import type { GitHubAnswer, GitHubRequest } from './exchange.ts'
import type { BuildRequest } from './octokit.ts'
import { endOfPatience, parseRateLimit, RateLimits } from './rate-limit.ts'

/** Milliseconds for one exchange, unless told otherwise. */
const usualTimeout = 10_000
/** Milliseconds that an exchange gets even after the deadline, so that the comment can still report the failure. */
const leastTimeout = 2000
const maxAttempts = 3
/** Bytes of an answer, at most: pages.ts asks for pages that stay below it, whatever people write. */
const maxBytes = 16 * 1024 * 1024

/** Rejects with one of the classes of errors.ts, or the signal's reason. */
export type GitHubCall = (request: GitHubRequest) => Promise<GitHubAnswer>

export interface CallOptions {
  /** Opens the builder of requests. Rejects when there is no token. */
  octokit: () => Promise<BuildRequest>
  send: Seam['send']
  seam: Pick<Seam, 'now' | 'date' | 'sleep' | 'random'>
  signal: AbortSignal
  /**
   * A moment of the seam's `now`: no retry starts after it, and no exchange that may be cut short lasts much longer.
   */
  deadline: number
  /** Milliseconds for one exchange. */
  timeout?: number
  /** Called before a failed request waits for `delay` milliseconds. */
  onRetry?: ((failure: unknown, delay: number) => void) | undefined
  /** Called once before requests wait for `delay` milliseconds, since the rate limit is reached. */
  onLimit?: ((delay: number) => void) | undefined
}

type RawAnswer = GitHubAnswer & { status: number }

type Limits = Pick<HttpRequest, 'timeout' | 'untilSent' | 'signal'>

function limitsOf({ repeatable }: GitHubRequest, call: CallOptions): Limits {
  const { seam, signal, deadline, timeout = usualTimeout } = call
  const left = Math.max(leastTimeout, deadline - seam.now())
  // A request that is not idempotent is not cut short at the deadline: nobody would know whether it was carried out.
  return { timeout: repeatable ? Math.min(timeout, left) : timeout, untilSent: { timeout: left }, signal }
}

/** The JSON of a body, and any other body as it is. */
function parseBody(body: string, type = ''): unknown {
  if (!/^application\/json\b/i.test(type)) return body
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** One exchange. Answers of every status are returned. */
async function exchange(request: GitHubRequest, call: CallOptions): Promise<RawAnswer> {
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

/** The error that an answer stands for; undefined for the one that was hoped for. */
function readFailure(request: GitHubRequest, answer: RawAnswer, date: number): Error | undefined {
  const { what, permission } = request
  const { status } = answer
  const message = refusalBody.safeParse(answer.data).data?.message
  const limit = parseRateLimit(answer, message, date)
  if (limit !== undefined) return new GitHubRateLimitError(what, limit)
  if (status === request.success) return undefined
  if (status < 300) return new GitHubUnclearError(what, { status, problem: 'not the expected one' })
  if (status < 400)
    return new GitHubUnclearError(what, { status, problem: 'a redirect, which is not followed' })
  if (message === undefined)
    return new GitHubUnclearError(what, { status, problem: "not the JSON of GitHub's API" })
  if (status >= 500)
    return new GitHubUnclearError(what, { status, problem: `that it has trouble: ${message}` })
  return new GitHubRefusalError(what, { status, message, permission })
}

/** Whether the request may be sent again, after as many failed attempts. A rate limit is no attempt. */
function mayRetry(request: GitHubRequest, failure: unknown, attempts: number): boolean {
  if (failure instanceof GitHubRateLimitError) return true
  const isTooLarge = failure instanceof GitHubUnreachableError && failure.isTooLarge
  const isPassing =
    isDoubt(failure) && !(failure instanceof GitHubUnclearError && (failure.status ?? 0) < 500)
  return request.repeatable && isPassing && !isTooLarge && attempts < maxAttempts
}

/** The course of a request so far. Moments are of the seam's `now`. */
interface Course {
  start: number
  now: number
  deadline: number
  /** How often it failed: by a rate limit, and otherwise. */
  limits: number
  attempts: number
  random: number
}

/** Milliseconds to wait before the same request is sent again; undefined: the request ends with this failure. */
function delayAfter(failure: unknown, request: GitHubRequest, course: Course): number | undefined {
  const { start, now, deadline, limits, attempts, random } = course
  const isLimit = failure instanceof GitHubRateLimitError
  const delay = retryDelay(limits + attempts, random, isLimit ? failure.wait : undefined)
  const end = isLimit ? endOfPatience(request.isOptional === true, start, deadline) : deadline
  return mayRetry(request, failure, attempts) && now + delay <= end ? delay : undefined
}

/** Calls GitHub, and repeats calls whose failure may pass by itself. */
export function createCall(options: CallOptions): GitHubCall {
  const { seam, signal, deadline } = options
  const rateLimits = new RateLimits(seam)
  /** The failure at the deadline. Every later call fails with it, without a request. */
  let silence: GitHubUnreachableError | undefined
  /** Until when requests wait, as reported last. */
  let reportedEnd = Number.NEGATIVE_INFINITY

  async function attemptOnce(request: GitHubRequest): Promise<GitHubAnswer> {
    signal.throwIfAborted()
    rateLimits.assertNone(request)
    if (silence) throw new GitHubUnreachableError(request.what, silence.problem, silence)
    const answer = await exchange(request, options)
    const failure = readFailure(request, answer, seam.date())
    if (failure === undefined) return answer
    if (failure instanceof GitHubRateLimitError) rateLimits.note(request, failure.answer)
    throw failure
  }

  function reportLimit(delay: number): void {
    const end = seam.now() + delay
    // Requests that are refused at about the same time wait until about the same time.
    if (end <= reportedEnd + 1000) return
    reportedEnd = end
    options.onLimit?.(delay)
  }

  return async request => {
    const start = seam.now()
    let limits = 0
    let attempts = 0
    for (;;) {
      try {
        return await attemptOnce(request)
      } catch (failure) {
        const now = seam.now()
        if (failure instanceof GitHubUnreachableError && now >= deadline) silence ??= failure
        const isLimit = failure instanceof GitHubRateLimitError
        if (isLimit) limits++
        else attempts++
        const random = seam.random()
        const delay = delayAfter(failure, request, { start, now, deadline, limits, attempts, random })
        if (delay === undefined) throw failure
        if (isLimit) reportLimit(delay)
        else options.onRetry?.(failure, delay)
        await seam.sleep(delay, signal)
      }
    }
  }
}
