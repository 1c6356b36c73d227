/** The interface to time, randomness and network. */

export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | undefined
  /** Milliseconds for the whole exchange, connecting and reading included. */
  timeout: number
  /**
   * Limits that apply only until the request is sent, in addition to `timeout` and `signal`. A request abandoned before
   * it is sent certainly had no effect. So a change that must not be interrupted later can be abandoned here.
   */
  untilSent?: { timeout: number; signal?: AbortSignal | undefined } | undefined
  /** A longer body is an error. */
  maxBytes: number
  signal?: AbortSignal | undefined
}

export interface HttpResponse {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
}

/** Time, randomness and network as an argument, so that production code runs unchanged in the simulator. */
export interface Seam {
  /** Monotonic milliseconds, unrelated to the date. */
  now(): number
  /** Milliseconds since 1970 by the wall clock, for comparison with dates from other systems. */
  date(): number
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `act` after `ms`, unless the returned function is called first. Keeps no process alive. */
  after(ms: number, act: () => void): () => void
  /** Unpredictable, at least 0 and less than 1. */
  random(): number
  /**
   * Rejects in every phase of the request with `TransportError`, `RequestTimeoutError`, `AnswerTooLargeError` or the
   * signal's reason. A request that was not sent in time rejects with a `TransportError` whose `neverSent` is true.
   */
  send(request: HttpRequest): Promise<HttpResponse>
}
