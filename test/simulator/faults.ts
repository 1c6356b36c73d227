/** The faults of single requests. */
import type { HttpResponse } from '#base/seam'
import type { Chance } from './chance.ts'

/** The course of one request. Times in milliseconds after it was sent. */
export interface Course {
  kind: string
  /** When the server processes it; undefined for never. */
  processed?: number
  /** When the server processes it again, after a proxy repeated it. */
  again?: number
  /** When the caller learns of the end; undefined if it only runs into its timeout. */
  ended?: number
  /** The result for the caller: the answer, or the kind of failure. */
  end: 'answer' | 'refused' | 'reset' | 'too-large'
  answer?: (answer: HttpResponse | undefined) => HttpResponse
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
export const refusal = (status: number, headers?: Record<string, string>) =>
  json(status, { code: `E${status}`, message: 'injected by the simulator' }, headers)
const page = (status: number): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Proxy</title>',
})

/** The time of a fault by the server's clock, and the factor on the requested wait. */
export interface Moment {
  now: number
  retryAfter: number
}

/** A Retry-After header in each of its forms (RFC 9110 section 10.2.3), and some malformed ones. */
function retryAfter(chance: Chance, { now, retryAfter: times }: Moment): Record<string, string> {
  const seconds = chance.whole(0, 40) * times
  const forms = [
    {},
    { 'retry-after': String(seconds) },
    { 'retry-after': new Date(now + seconds * 1000).toUTCString() },
    { 'retry-after': chance.pick(['soon', '-5', '1e9', '999999999', '', '2 minutes']) },
  ]
  return chance.pick(forms)
}

const truncated = (answer: HttpResponse | undefined): HttpResponse => {
  const whole = answer ?? page(200)
  return { ...whole, body: whole.body.slice(0, Math.floor(whole.body.length / 2)) }
}

/** A status unknown to the specification. */
const withUnknownStatus = (answer: HttpResponse | undefined): HttpResponse => {
  const given = answer ?? page(200)
  return { ...given, body: given.body.replace(/"status":"(QUEUED|CONFIGURING)"/g, '"status":"REBALANCING"') }
}

type Maker = (chance: Chance, moment: Moment) => Course

/** After processing, an answer takes as long as without faults. */
const latency = (chance: Chance) => chance.between(5, 300)

const before =
  (kind: string, answer: (chance: Chance, moment: Moment) => HttpResponse): Maker =>
  (chance, moment) => ({ kind, ended: latency(chance), end: 'answer', answer: () => answer(chance, moment) })

function after(kind: string, course: Omit<Course, 'kind' | 'processed' | 'ended'>): Maker {
  return chance => {
    const processed = latency(chance)
    return { kind, processed, ended: processed + latency(chance), ...course }
  }
}

const serverErrors = [500, 502, 503, 504]

/** All faults by name. */
export const faults: Record<string, Maker> = {
  'connection refused': chance => ({ kind: 'connection refused', ended: latency(chance), end: 'refused' }),
  'connect timeout': () => ({ kind: 'connect timeout', ended: 10_000, end: 'refused' }),
  'reset before processing': chance => ({
    kind: 'reset before processing',
    ended: latency(chance),
    end: 'reset',
  }),
  'reset after processing': after('reset after processing', { end: 'reset' }),
  'timeout before processing': () => ({ kind: 'timeout before processing', end: 'answer' }),
  'timeout after processing': chance => ({
    kind: 'timeout after processing',
    processed: latency(chance),
    end: 'answer',
  }),
  'reset, processed late': chance => ({
    kind: 'reset, processed late',
    processed: chance.between(300, 60_000),
    ended: latency(chance),
    end: 'reset',
  }),
  'timeout, processed late': chance => ({
    kind: 'timeout, processed late',
    processed: chance.between(300, 60_000),
    end: 'answer',
  }),
  '5xx, processed late': chance => ({
    kind: '5xx, processed late',
    processed: chance.between(300, 60_000),
    ended: latency(chance),
    end: 'answer',
    answer: () => chance.pick([refusal, page])(chance.pick(serverErrors)),
  }),
  '429': before('429', (chance, moment) => refusal(429, retryAfter(chance, moment))),
  '5xx before processing': before('5xx before processing', (chance, moment) =>
    chance.hits(0.5)
      ? refusal(chance.pick(serverErrors), retryAfter(chance, moment))
      : page(chance.pick(serverErrors)),
  ),
  '5xx after processing': after('5xx after processing', { end: 'answer', answer: () => refusal(500) }),
  'HTML 5xx after processing': after('HTML 5xx after processing', { end: 'answer', answer: () => page(502) }),
  '401': before('401', () => refusal(401)),
  '403': before('403', () => refusal(403)),
  'HTML for JSON': after('HTML for JSON', { end: 'answer', answer: () => page(200) }),
  'HTML 404': before('HTML 404', () => page(404)),
  'truncated body': after('truncated body', { end: 'answer', answer: truncated }),
  'body too large': after('body too large', { end: 'too-large' }),
  'unknown status': after('unknown status', { end: 'answer', answer: withUnknownStatus }),
}

/** An answer that denies a new record. */
export const recordNotFound = before('404 after create', () => refusal(404))

/** A course without faults. */
export function clearSky(chance: Chance): Course {
  const processed = latency(chance)
  return { kind: 'none', processed, ended: processed + latency(chance), end: 'answer' }
}
