/** The faults and signals of the matrix. */
import type { Fault, Moment } from '../../../emulator/http/faults/faults.ts'
import type { Payload } from '../../../emulator/http/payload.ts'

/** The knowledge of the caller after a fault. */
export type Kind =
  /** The answer is malformed but complete. */
  | 'harmless'
  | 'refused'
  /** The API itself allows a repetition of the request. */
  | 'too soon'
  /** Unknown whether the request took effect; a repetition may clarify. */
  | 'doubtful'
  /** The effect is unknown, and the address looks unlike the API's. */
  | 'too large'
  | 'redirected'
  /** The request certainly did not arrive. */
  | 'never sent'

export interface MatrixFault {
  title: string
  kind: Kind
  /** Matches the error line if the step fails because of the fault. */
  errorPattern: RegExp
  /** Undefined for a fault of the connection itself. */
  when: Moment | undefined
  /** The fault in the request; `elsewhere` is the address of another origin. */
  fault(elsewhere: string): Fault
  times: 'once' | 'for ever'
  /** Faults before any request. */
  connection?: 'refused' | 'untrusted'
  /** True if only a timeout ends it. */
  isEndless?: true
  /** True if it concerns the record in the answer. */
  isAboutRecord?: true
}

type Make = (when: Moment, elsewhere: string) => Fault
type More = Partial<Pick<MatrixFault, 'times' | 'isEndless' | 'isAboutRecord'>>

function row(
  when: Moment,
  title: string,
  kind: Kind,
  errorPattern: RegExp,
  make: Make,
  more: More = {},
): MatrixFault {
  return {
    title,
    kind,
    errorPattern,
    when,
    fault: elsewhere => make(when, elsewhere),
    times: 'once',
    ...more,
  }
}

function both(
  ...about: [title: string, kind: Kind, errorPattern: RegExp, make: Make, more?: More]
): MatrixFault[] {
  return [row('before', ...about), row('after', ...about)]
}

const error =
  (status: number, headers: Record<string, string> = {}): Make =>
  when => ({
    kind: 'answer',
    when,
    status,
    body: { code: 'TROUBLE', message: 'words of the server' },
    headers,
  })

const html = '<!doctype html><title>Welcome</title><p>Please log in.'

const page =
  (status: number, contentType: string): Make =>
  when => ({ kind: 'answer', when, status, body: html, contentType })

const refusal = (status: number) =>
  row(
    'before',
    `${status}`,
    'refused',
    new RegExp(`failed with ${status} TROUBLE: words of the server`),
    error(status),
  )

/** The API processes the request, and the fault changes the answer. */
function changed(title: string, kind: Kind, errorPattern: RegExp, change: (intended: Payload) => Payload) {
  return row('after', title, kind, errorPattern, () => ({ kind: 'change', change }), { isAboutRecord: true })
}

const edit = (change: (record: Record<string, unknown>) => object) => (payload: Payload) => ({
  ...payload,
  body: JSON.stringify(change(JSON.parse(payload.body))),
})

const neverReported = /nothing to tell/

function broken(connection: 'refused' | 'untrusted', title: string, errorPattern: RegExp): MatrixFault {
  const fault = (): Fault => ({ kind: 'reset', when: 'before' })
  return { title, kind: 'never sent', errorPattern, when: undefined, fault, times: 'for ever', connection }
}

const endless = { isEndless: true } as const
const unanswered = /no complete answer within 1 s/
const lasting = { times: 'for ever' } as const

export const matrixFaults: readonly MatrixFault[] = [
  broken('refused', 'a closed port', /ECONNREFUSED/),
  broken('untrusted', 'an untrusted certificate', /the certificate of the server is not trusted/),
  ...[400, 403, 404, 409].map(refusal),
  row('before', '429, Retry-After: 1', 'too soon', /failed with 429/, error(429, { 'retry-after': '1' })),
  row('before', '408', 'doubtful', /failed with 408/, error(408)),
  ...both('500', 'doubtful', /failed with 500 TROUBLE/, error(500)),
  ...both('502 HTML', 'doubtful', /status 502, content type text/, page(502, 'text/html')),
  row(
    'before',
    '503, Retry-After: 1',
    'doubtful',
    /failed with 503 TROUBLE/,
    error(503, { 'retry-after': '1' }),
  ),
  ...both('reset', 'doubtful', /ECONNRESET|closed/, when => ({ kind: 'reset', when })),
  ...both('no answer', 'doubtful', unanswered, when => ({ kind: 'hang', when }), endless),
  ...both('slow bytes', 'doubtful', unanswered, when => ({ kind: 'drip', when }), endless),
  row('after', 'half an answer', 'doubtful', /closed/, () => ({ kind: 'truncate' })),
  ...both('64 MiB', 'too large', /larger than 1048576 bytes/, when => ({ kind: 'huge', when })),
  ...both('307', 'redirected', /status 307.*a redirect, which is not followed/, (when, location) => ({
    kind: 'answer',
    when,
    status: 307,
    body: '',
    headers: { location },
  })),
  ...both(
    'HTML labelled JSON',
    'doubtful',
    /json, a (body of \d+ characters that is not JSON|page where)/,
    page(200, 'application/json'),
  ),
  changed('broken JSON', 'doubtful', /not JSON/, payload => ({
    ...payload,
    body: payload.body.slice(0, -1),
  })),
  changed('an empty body', 'doubtful', /unreadable answer: status 202/, payload => ({
    ...payload,
    body: '',
  })),
  changed(
    'a record without its id',
    'doubtful',
    /service_id is missing/,
    edit(({ service_id: _, ...rest }) => rest),
  ),
  changed('JSON labelled HTML', 'harmless', neverReported, payload => ({
    ...payload,
    headers: { 'content-type': 'text/html' },
  })),
  changed(
    'unknown fields',
    'harmless',
    neverReported,
    edit(record => ({ ...record, mood: { today: 'good' } })),
  ),
  row('after', 'an answer 0.3 s late', 'harmless', neverReported, () => ({
    kind: 'late',
    milliseconds: 300,
  })),
  row('before', '503', 'doubtful', /failed with 503 TROUBLE/, error(503), lasting),
  row('before', 'reset', 'doubtful', /ECONNRESET|closed/, when => ({ kind: 'reset', when }), lasting),
  row('before', 'no answer', 'doubtful', unanswered, when => ({ kind: 'hang', when }), {
    ...lasting,
    ...endless,
  }),
]

/** A signal to the process, at a moment that the API sees. */
export interface Interruption {
  title: string
  signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'
  /** The first request of the operation, or the first poll after it. */
  at: 'request' | 'wait'
  /** The fate of the answer to the request. */
  fault: Fault | undefined
}

const moments: Omit<Interruption, 'signal'>[] = [
  { title: 'before the answer', at: 'request', fault: { kind: 'late', milliseconds: 300 } },
  { title: 'before an answer that never comes', at: 'request', fault: { kind: 'hang', when: 'after' } },
  { title: 'during the wait', at: 'wait', fault: undefined },
]

/** The runner's signals to the step of a cancelled job, and the kill by a machine that is out of memory. */
export const interruptions: Interruption[] = moments.flatMap(moment =>
  (['SIGINT', 'SIGTERM', 'SIGKILL'] as const).map(signal => ({ ...moment, signal })),
)
