/** Reads an answer of the API: errors, malformed bodies, records. */
import { type Endpoint, pathParameters } from '#api/endpoint'
import { hasKnownField, itemSchemaOf } from '#api/known-fields'
import { adviceForGateway, type CallDescription } from '#base/advice'
import { ApiError, UnreadableAnswerError } from '#base/errors'
import { isDeeperThan, maxDepth } from '#base/nesting'
import type { HttpResponse } from '#base/seam'
import { isRecord, textOf } from '#base/unknown-values'

export type RecordFilter = (record: Record<string, unknown>) => boolean

/** Returns the replacements of a malformed record in its list, or throws the problem. */
export type ReadMalformed = (entry: unknown, problem: UnreadableAnswerError) => unknown[]

/** Receives the body of an answer, as JSON or else as text. An exception fails the call. */
export type OnAnswer = (body: unknown, parameters: Record<string, unknown>) => void

export type Redact = (text: string) => string

/** The parameters of a call, and the way to read and show its answer. */
export interface Reading {
  parameters: Record<string, unknown>
  redact: Redact
  onAnswer?: OnAnswer | undefined
  /** Selects the records of a list to read. */
  only?: RecordFilter | undefined
  /** Handles malformed records of a list. Without it, one of them fails the list. */
  readMalformed?: ReadMalformed | undefined
}

interface Body {
  /** Undefined if the body is empty or not JSON. */
  json?: unknown
  flaw?: string
}

function parseBody(text: string): Body {
  try {
    return { json: text.trim() === '' ? undefined : JSON.parse(text) }
  } catch {
    return { flaw: 'is not JSON' }
  }
}

/**
 * Reduces a list to the records in `only`: decoding all of them takes ten times as long as parsing them. Items that
 * are not records stay, so that reading them fails.
 */
function narrow({ json: parsed, flaw }: Body, only: RecordFilter | undefined): Body {
  const isListed = only && Array.isArray(parsed)
  const json = isListed ? parsed.filter(item => !isRecord(item) || only(item)) : parsed
  // Recursive code would fail on it.
  const isTooDeep = isDeeperThan(maxDepth, json)
  return isTooDeep
    ? { json, flaw: `is nested deeper than ${maxDepth} levels` }
    : { json, ...(flaw && { flaw }) }
}

/** Creates the error of an answer; `problem` completes the list of its properties. */
type Unreadable = (problem: string, next?: string) => UnreadableAnswerError

/** A page of a portal or proxy. With any status, it does not come from the API. */
const isPage = (text: string) => text.trimStart().startsWith('<')

/** Upper limit for a quoted body, in characters. */
const longestQuote = 200

/** The start of a body. Secrets are removed before the cut, since half of a secret would not be recognized. */
function quote(body: string, redact: Redact): string {
  const text = redact(body).replace(/\s+/g, ' ').trim()
  return text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text
}

/** The fields that the error message already contains or that are empty. */
const usualFields = ['code', 'message', 'details']

/** The error of an answer with another status than 2xx (docs/internals/api.md, "Errors"). */
function readError(
  call: CallDescription,
  { status, headers, body: text }: HttpResponse,
  { json, flaw }: Body,
  { redact, unreadable }: { redact: Redact; unreadable: Unreadable },
): ApiError | UnreadableAnswerError {
  if (status < 400)
    return unreadable(
      'a redirect, which is not followed',
      'set base_url to the address that it redirects to, if you trust that address',
    )
  if (flaw !== undefined || !isRecord(json)) {
    // A page does not help readers of the log.
    const quoted = text.trim() === '' || isPage(text) ? '' : `: ${quote(text, redact)}`
    return unreadable(`a body that is not the JSON error of the API${quoted}`, adviceForGateway(call, status))
  }
  const { code, details } = json
  const message = textOf(json.message)
  const hasMore = Object.keys(json).some(field => !usualFields.includes(field))
  return new ApiError(call, {
    status,
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : undefined,
    message: message || (hasMore ? `no message, but ${quote(text, redact)}` : 'no message'),
    isServerMessage: Boolean(message),
    details,
    retryAfter: headers['retry-after'],
  })
}

/** Whether the answer is only a notice about a change; the action reads the result later. */
const isNotice = ({ method, creates, reads }: Endpoint) =>
  method === 'POST' && creates === undefined && reads !== true

/** The id in an answer about another record than the requested one: a cache or proxy mixed up two answers. */
function otherId(row: Endpoint, answer: unknown, parameters: Record<string, unknown>): string | undefined {
  const name = pathParameters(row.path).at(-1)
  if (row.creates !== undefined || name === undefined || !isRecord(answer)) return undefined
  const answered = name === 'service_id' ? answer.service_id : row.method === 'GET' ? answer.id : undefined
  const asked = parameters[name]
  return answered === undefined || asked === undefined || answered === asked ? undefined : String(answered)
}

/** A list with more malformed records fails, to save time. */
const mostMalformed = 100

/** Reads a list with malformed entries. Undefined if no entry has any expected field: it is not a list of the API. */
function readEntries(
  schema: NonNullable<Endpoint['response']>,
  parsed: unknown,
  missing: (field: PropertyKey[]) => UnreadableAnswerError,
  readMalformed: ReadMalformed,
): unknown[] | undefined {
  const item = itemSchemaOf(schema)
  if (item === undefined || !Array.isArray(parsed)) return undefined
  if (parsed.length > 0 && !parsed.some(entry => hasKnownField(item, entry))) return undefined
  let malformed = 0
  return parsed.flatMap((entry, index) => {
    const read = item.safeParse(entry)
    if (read.success) return [read.data]
    const problem = missing([index, ...(read.error.issues[0]?.path ?? [])])
    malformed += 1
    if (malformed > mostMalformed) throw problem
    return readMalformed(entry, problem)
  })
}

/**
 * Decodes an answer by its row. A call that only starts work accepts an empty body, and one of another shape
 * or about another record. For a call that reads or creates a record, these are errors
 * (docs/internals/api.md, "Reading tolerantly").
 * @throws ApiError for the API's own errors, UnreadableAnswerError for anything else
 */
export function readAnswer(
  call: CallDescription,
  row: Endpoint,
  response: HttpResponse,
  { parameters, redact, onAnswer, only, readMalformed }: Reading,
): unknown {
  const { status, headers, body: text } = response
  const unreadable: Unreadable = (problem, next) =>
    new UnreadableAnswerError(call, {
      status,
      problem,
      contentType: headers['content-type'] ?? '',
      retryAfter: headers['retry-after'],
      ...(next && { next }),
    })
  const missing = (field: PropertyKey[]) =>
    unreadable(
      `where ${field.join('.') || 'the whole body'} is missing or differs from the specification`,
      'report this with the operation and the name of the field',
    )
  const whole = parseBody(text)
  // Before the filter, so that secrets in any record become known.
  onAnswer?.(whole.json ?? text, parameters)
  const body = narrow(whole, only)
  if (status < 200 || status > 299) throw readError(call, response, body, { redact, unreadable })
  if (row.response === undefined) {
    // A page must not pass for the success of a deletion or a password change.
    if (isPage(text)) throw unreadable('a page, although the API sends no body here')
    return undefined
  }
  const { json: parsed, flaw } = body
  if (flaw !== undefined) throw unreadable(`a body of ${text.length} characters that ${flaw}`)
  if (parsed === undefined && isNotice(row)) return undefined
  // An empty body must not pass for an empty list, which would mean that a record is gone.
  if (parsed === undefined && row.method === 'GET') throw unreadable('without a body')
  const entries = readMalformed && readEntries(row.response, parsed, missing, readMalformed)
  if (entries !== undefined) return entries
  const decoded = row.response.safeParse(parsed)
  const other = decoded.success ? otherId(row, decoded.data, parameters) : undefined
  if (decoded.success && other === undefined) return decoded.data
  if (isNotice(row)) return undefined
  if (other === undefined) throw missing(decoded.error?.issues[0]?.path ?? [])
  throw unreadable(
    `about ${other}, another record than the requested one`,
    'run the step again; if it fails again, report it to the owner of the server or proxy',
  )
}
