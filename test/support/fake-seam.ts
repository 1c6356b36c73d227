/** A seam with a scripted network and a simulated clock. */
import type { HttpRequest, HttpResponse, Seam } from '#base/seam'

/** The network's reaction to a request: an answer, a failure, or a function of the request. */
export type Scripted = HttpResponse | Error | ((request: HttpRequest) => HttpResponse)

export function json(status: number, body?: unknown, headers: Record<string, string> = {}): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: body === undefined ? '' : JSON.stringify(body),
  }
}

export const refusal = (status: number, message = 'no', headers: Record<string, string> = {}) =>
  json(status, { code: `E${status}`, message }, headers)

/** An answer of a server that is not the API. */
export function html(status: number, headers: Record<string, string> = {}): HttpResponse {
  return { status, headers: { 'content-type': 'text/html', ...headers }, body: '<h1>Hello</h1>' }
}

/** A seam with a scripted network. Its time advances only by sleeping. It also records the requests and their times. */
export class FakeSeam implements Seam {
  readonly requests: (HttpRequest & { at: number })[] = []
  readonly sleeps: number[] = []
  chance = 0.5
  /** The duration of every answer, in milliseconds. */
  latency = 0
  #now = 0
  #appointments: { at: number; act: () => void }[] = []
  readonly #script: Scripted[]

  /** Answers with the script in order; a request beyond it is an error. */
  constructor(script: Scripted[] = []) {
    this.#script = [...script]
  }

  now(): number {
    return this.#now
  }

  date(): number {
    return Date.parse('2026-01-31T12:00:00Z') + this.#now
  }

  random(): number {
    return this.chance
  }

  at(at: number, act: () => void): void {
    this.#appointments.push({ at, act })
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(ms)
    this.#pass(ms, signal)
  }

  after(ms: number, act: () => void): () => void {
    const appointment = { at: this.#now + ms, act }
    this.#appointments.push(appointment)
    return () => {
      this.#appointments = this.#appointments.filter(other => other !== appointment)
    }
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    this.requests.push({ ...request, at: this.#now })
    this.#pass(this.latency, request.signal)
    const scripted = this.#script.shift()
    if (scripted === undefined) throw new Error(`no answer left for ${request.method} ${request.url}`)
    if (scripted instanceof Error) throw scripted
    return typeof scripted === 'function' ? scripted(request) : scripted
  }

  #pass(ms: number, signal: AbortSignal | undefined): void {
    signal?.throwIfAborted()
    const end = this.#now + ms
    // Acts may schedule further acts.
    for (let next = this.#due(end); next; next = this.#due(end)) {
      this.#now = Math.max(this.#now, next.at)
      next.act()
      signal?.throwIfAborted()
    }
    this.#now = end
  }

  #due(end: number): { at: number; act: () => void } | undefined {
    const [next] = this.#appointments.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
    this.#appointments = this.#appointments.filter(other => other !== next)
    return next
  }
}
