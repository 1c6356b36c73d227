/** Calls GitHub: sends a request, reads the answer or the failure, and retries. */
import * as z from 'zod/mini'
import { Backoff } from '#base/backoff'
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
import { parseRateLimit, UsedLimits } from './rate-limit.ts'

/** Milliseconds for one exchange, unless told otherwise. */
const usualTimeout = 10_000
/** Milliseconds that an exchange gets even after the deadline, so that the comment can still report the failure. */
const leastTimeout = 2000
/** The longest that a step waits for a rate limit, in milliseconds. */
const longestWait = 10_000
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
  /** Called before a rest of `delay` milliseconds: after a failure, or because another call was told to wait. */
  onRetry?: ((failure: unknown, delay: number) => void) | undefined
  onHold?: ((delay: number) => void) | undefined
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

/** Milliseconds to wait before the same request is sent again; undefined when it must not be. */
function pause(
  request: GitHubRequest,
  failure: unknown,
  attempt: number,
  random: number,
): number | undefined {
  if (attempt >= maxAttempts) return undefined
  if (failure instanceof GitHubRateLimitError) {
    const wait = retryDelay(attempt, random, failure.wait)
    return wait <= longestWait ? wait : undefined
  }
  const passing = isDoubt(failure) && !(failure instanceof GitHubUnclearError && (failure.status ?? 0) < 500)
  if (failure instanceof GitHubUnreachableError && failure.isTooLarge) return undefined
  return request.repeatable && passing ? retryDelay(attempt, random, undefined) : undefined
}

/** Calls GitHub, and repeats calls whose failure may pass by itself. */
export function createCall(options: CallOptions): GitHubCall {
  const { seam, signal, deadline } = options
  const backoff = new Backoff(seam, options.onHold)
  const usedLimits = new UsedLimits(seam)

  /** When GitHub tells one call to wait, all others wait too, or fail at once if the wait is too long for any of them. */
  function heed(request: GitHubRequest, failure: unknown): void {
    if (!(failure instanceof GitHubRateLimitError)) return
    if (failure.wait <= longestWait) backoff.hold(failure.wait)
    else usedLimits.note(request, failure.answer)
  }

  async function attemptOnce(request: GitHubRequest): Promise<GitHubAnswer> {
    usedLimits.assertLeft(request)
    const answer = await exchange(request, options)
    const failure = readFailure(request, answer, seam.date())
    if (failure === undefined) return answer
    heed(request, failure)
    throw failure
  }

  /** The failure at the deadline. Every later call fails with it, without a request. */
  let silence: GitHubUnreachableError | undefined

  return async request => {
    for (let attempt = 1; ; attempt++) {
      try {
        signal.throwIfAborted()
        await backoff.pass(deadline, signal)
        if (silence) throw new GitHubUnreachableError(request.what, silence.problem, silence)
        return await attemptOnce(request)
      } catch (failure) {
        if (failure instanceof GitHubUnreachableError && seam.now() >= deadline) silence ??= failure
        const wait = pause(request, failure, attempt, seam.random())
        if (wait === undefined || seam.now() + wait > deadline) throw failure
        options.onRetry?.(failure, wait)
        await seam.sleep(wait, signal)
      }
    }
  }
}
