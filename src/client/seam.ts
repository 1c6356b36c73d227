/** One request as it goes on the wire. */
export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | undefined
  /** Milliseconds for the whole exchange, connecting and reading included. */
  timeout: number
  /**
   * Holds until the request is sent, beside `timeout` and `signal`: to give it up by then leaves no doubt of what the
   * server did, so that a request which is not to be cut short once it is sent can still end with its step.
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
 * All that is not the same twice: time, chance and the network. Production code takes it as an argument, so
 * that it runs unchanged in the fault simulator.
 */
export interface Seam {
  /** Monotonic milliseconds: never goes back, says nothing about the date. */
  now(): number
  /** Milliseconds since 1970 by the wall clock, for dates that others wrote. */
  date(): number
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Unpredictable, at least 0 and less than 1. */
  random(): number
  /**
   * Rejects with `TransportError`, `RequestTimeoutError`, `AnswerTooLargeError` or a signal's reason, in whatever phase
   * the request is; one that took too long to be sent with a `TransportError` that was never sent.
   */
  send(request: HttpRequest): Promise<HttpResponse>
}
