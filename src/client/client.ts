/** The client of the API: one typed method for all endpoints, with time limits and retries. */
import { type Answer, type Endpoint, type EndpointParameters, isRead } from '#api/endpoint'
import { type EndpointName, type Endpoints, endpoints } from '#api/endpoints'
import type { CallDescription } from '#base/advice'
import { createBackoff } from '#base/backoff'
import { ApiError, isApiError, nameCallInMessage, TransportError, uncertainChangeError } from '#base/errors'
import type { Seam } from '#base/seam'
import { type ListOptions, type OnAnswer, type Redact, readAnswer } from './answer.ts'
import { adviseOnRefusal, describeSender } from './refusal-advice.ts'
import { buildRequest, type RequestParts } from './request.ts'
import {
  hasStatus429,
  isRateLimited,
  isRepeatable,
  isUncertainChange,
  isUnprocessed,
  retryAfterOf,
  retryDelay,
} from './retry.ts'
import { createServerClock } from './server-clock.ts'

export interface Credentials {
  publicKey: string
  secretKey: string
}

export interface ClientOptions {
  seam: Seam
  /** Without a slash at its end. */
  baseUrl: string
  credentials: Credentials
  /** Upper limit for attempts of a repeatable call. A 429 does not count, except for a call with `isUrgent`. */
  maxAttempts: number
  /** Milliseconds for one request. Default: 30 s for GET, 60 s for others. */
  requestTimeout?: number | undefined
  /** No retry starts after this time, on the clock of the seam's `now`. */
  deadline: number
  signal: AbortSignal
  /** Aborts a creating POST, later than `signal`: a POST aborted in flight may leave a record of unknown id. */
  creatingSignal: AbortSignal
  redact: Redact
  /** Called with each answer of any status, before any other code reads it. */
  onAnswer?: OnAnswer | undefined
  /** Called before a failed call waits `delay` milliseconds for its next attempt. */
  onRetry?: ((failure: unknown, delay: number) => void) | undefined
  /** Called before calls wait `delay` milliseconds because another call got a 429. */
  onHold?: ((delay: number) => void) | undefined
}

export interface CallOptions extends ListOptions {
  /** Upper limit for attempts of this call, instead of the client's. */
  attempts?: number
  /** Does not wait after a 429 to another call, because the call relies on a record that was just read. */
  isUrgent?: boolean
  /** No retry starts after this time, on the clock of the seam's `now`. An interruptible request ends soon after it. */
  deadline?: number
  /** Called just before each request of the call. An exception prevents the request. */
  beforeSend?: () => void
}

/** The answer of a call. A POST that creates nothing may be answered without a body. */
export type CallResult<Name extends EndpointName> = Endpoints[Name] extends {
  method: 'POST'
  creates?: undefined
}
  ? Answer<Endpoints[Name]> | undefined
  : Answer<Endpoints[Name]>

/** `call` for code that treats all endpoints alike; the row determines the types at run time. */
export type AnyCall = (
  name: EndpointName,
  parameters: Record<string, unknown>,
  options?: CallOptions,
) => Promise<unknown>

export interface Client {
  /**
   * Calls an endpoint by the name of its operation, with all parameters in one object. Repeats the request
   * after a failure if that is safe.
   * @throws ApiError, UnreadableAnswerError, TransportError, RequestTimeoutError, AnswerTooLargeError
   */
  call<Name extends EndpointName>(
    name: Name,
    parameters: EndpointParameters<Endpoints[Name]>,
    options?: CallOptions,
  ): Promise<CallResult<Name>>
  callAny: AnyCall
  /** Milliseconds since 1970 by the server's clock; before the first answer, by the runner's. */
  date(): number
}

/** Builds a client from one function that treats all endpoints alike. */
export const clientOf = (callAny: AnyCall, date: Client['date']): Client => ({
  callAny,
  date,
  call: callAny as Client['call'],
})

const MiB = 1024 * 1024

/** Milliseconds for one request if `request_timeout` is not set. */
export const usualTimeout = { read: 30_000, change: 60_000 }

/** Upper limit for an answer, in bytes: only lists and logs are long. */
function largestBody(name: string): number {
  return name.startsWith('list-') || name === 'get-service-logs' ? 16 * MiB : MiB
}

function renderAuthorization({ publicKey, secretKey }: Credentials): string {
  return `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`
}

/** The error of a creating call after the deadline. No step would wait for the record, which would cost money. */
function createDeadlineError(): TransportError {
  return new TransportError('the deadline passed before the request was sent', {
    neverSent: true,
    next: 'run the step again, or raise wait_timeout',
  })
}

export function createClient(options: ClientOptions): Client {
  const { seam, signal } = options
  const clock = createServerClock(seam)
  const backoff = createBackoff(seam, options.onHold)
  const { redact, onAnswer } = options

  /** Milliseconds until the deadline, at least a second: the last check of a wait starts at the deadline. */
  const timeLeft = (deadline: number) => Math.max(1000, deadline - seam.now())

  function timeoutOf(row: Endpoint, deadline: number): number {
    const isReading = isRead(row)
    const usual = options.requestTimeout ?? (isReading ? usualTimeout.read : usualTimeout.change)
    // An interrupted creating request may leave a record of unknown id.
    if (row.creates) return usual
    // A change gets more time than a read: if its answer is lost, its result is unknown.
    return Math.min(usual, Math.max(isReading ? 0 : 10_000, timeLeft(deadline)))
  }

  async function send(name: string, row: Endpoint, parts: RequestParts, deadline: number) {
    const { path, body } = parts
    const response = await seam.send({
      method: row.method,
      url: options.baseUrl + path,
      headers: {
        authorization: renderAuthorization(options.credentials),
        accept: 'application/json',
        'user-agent': 'managed-database-action',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body,
      timeout: timeoutOf(row, deadline),
      untilSent: { timeout: timeLeft(deadline), signal },
      maxBytes: largestBody(name),
      signal: row.creates ? options.creatingSignal : signal,
    })
    clock.read(response.headers.date)
    return response
  }

  /** After a 429 to one call, all calls wait. */
  function holdOthers(failure: unknown): void {
    if (isRateLimited(failure)) backoff.pause(retryAfterOf(failure, seam.date()) ?? 0)
  }

  /** Waits before the next attempt. Returns false without a wait if the deadline comes first. */
  async function pause(attempt: number, failure: unknown, deadline: number): Promise<boolean> {
    const delay = retryDelay(attempt, seam.random(), retryAfterOf(failure, seam.date()))
    if (seam.now() + delay > deadline) return false
    options.onRetry?.(failure, delay)
    await seam.sleep(delay, signal)
    return true
  }

  async function call(
    name: EndpointName,
    parameters: Record<string, unknown>,
    callOptions: CallOptions = {},
  ) {
    const row: Endpoint = endpoints[name]
    const parts = buildRequest(row, parameters)
    const description: CallDescription = {
      operation: name,
      method: row.method,
      path: parts.path.replace(/\?.*/, ''),
      sender: describeSender(options),
      adviseOnRefusal: (status, message) => adviseOnRefusal({ ...options, row, parameters }, status, message),
    }
    const {
      attempts = options.maxAttempts,
      deadline = options.deadline,
      beforeSend,
      // The caller of a DELETE has just read the record, and must not delete it after it changed.
      isUrgent = row.method === 'DELETE',
    } = callOptions
    let isAnswerLost = false
    let failures = 0
    /** The failures that count as attempts. A 429 only requires a wait, so it does not, unless the call is urgent. */
    let counted = 0
    for (;;) {
      try {
        signal.throwIfAborted()
        if (!isUrgent) await backoff.waitUntilOver(deadline, signal)
        if (row.creates && seam.now() >= deadline) throw createDeadlineError()
        beforeSend?.()
        const response = await send(name, row, parts, deadline)
        return readAnswer(description, row, response, { ...callOptions, parameters, redact, onAnswer })
      } catch (failure) {
        holdOthers(failure)
        // An earlier attempt deleted the record, and its answer was lost.
        if (failures > 0 && row.method === 'DELETE' && isApiError(failure, 404)) return undefined
        failures += 1
        if (isUrgent || !hasStatus429(failure)) counted += 1
        // A call with `attempts: 1` is never repeated, not even after a 429.
        const mayRetry = attempts > 1 && counted < attempts && isRepeatable(row, failure)
        if (mayRetry && (await pause(failures, failure, deadline))) {
          isAnswerLost ||= !isUnprocessed(failure)
          continue
        }
        const described = nameCallInMessage(failure, description)
        if (described instanceof ApiError) described.isAfterLostAnswer = isAnswerLost
        throw isUncertainChange(row, described) ? uncertainChangeError(described) : described
      }
    }
  }

  return clientOf(call, () => clock.date())
}
