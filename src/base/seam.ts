/** One request as it goes on the wire. */
export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | undefined
  /** Milliseconds for the whole exchange, connecting and reading included. */
  timeout: number
  /**
   * Limits that hold only until the request is sent, in addition to `timeout` and `signal`. A request given up before
   * it is sent has certainly done nothing; so even a request that must not be cut short later can be given up here.
   */
  untilSent?: { timeout: number; signal?: AbortSignal | undefined } | undefined
  /** The answer's body is read up to this many bytes; a longer one is an error. */
  maxBytes: number
  signal?: AbortSignal | undefined
}

export interface HttpResponse {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
}

/**
 * What differs from run to run: time, chance and the network. Production code takes it as an argument, so that it runs
 * unchanged in the simulator.
 */
export interface Seam {
  /** Monotonic milliseconds, unrelated to the date. */
  now(): number
  /** Milliseconds since 1970 by the wall clock, for dates that others wrote. */
  date(): number
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `act` after `ms`, unless it is called off first by what this returns. Keeps no process alive. */
  after(ms: number, act: () => void): () => void
  /** Unpredictable, at least 0 and less than 1. */
  random(): number
  /**
   * Rejects with `TransportError` (`neverSent` if it took too long to be sent), `RequestTimeoutError`,
   * `AnswerTooLargeError` or a signal's reason, in every phase of the request.
   */
  send(request: HttpRequest): Promise<HttpResponse>
}
