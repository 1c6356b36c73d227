// Reads an answer of the API: errors, malformed bodies, records.

import { type Endpoint, pathParameters } from '#api/endpoint'
import { adviceForGateway, type CallDescription } from '#base/advice'
import { ApiError, UnreadableAnswerError } from '#base/errors'
import { isDeeperThan, maxDepth } from '#base/nesting'
import type { HttpResponse } from '#base/seam'
import { keepOnly, type ReadMalformed, type RecordFilter, readEntries } from './list-answer.ts'

interface Body {
  text: string
  /** Undefined if the body is empty or not JSON. */
  json?: unknown
  /** Why the body must not be used as JSON. */
  flaw?: string
}

function parseBody(text: string): Body {
  try {
    return { text, json: text.trim() === '' ? undefined : JSON.parse(text) }
  } catch {
    return { text, flaw: 'is not JSON' }
  }
}

/** Reduces a list to the records in `only`: decoding all of them takes ten times as long as parsing them. */
function narrow({ text, json: parsed, ...rest }: Body, only: RecordFilter | undefined): Body {
  const json = only && Array.isArray(parsed) ? keepOnly(parsed, only) : parsed
  // Recursive code would fail on it.
  const isTooDeep = isDeeperThan(maxDepth, json)
  return { text, json, ...rest, ...(isTooDeep && { flaw: `is nested deeper than ${maxDepth} levels` }) }
}

function unreadable(
  call: CallDescription,
  response: HttpResponse,
  problem: string,
  next?: string,
): UnreadableAnswerError {
  return new UnreadableAnswerError(call, {
    status: response.status,
    contentType: response.headers['content-type'] ?? '',
    problem,
    retryAfter: response.headers['retry-after'],
    ...(next && { next }),
  })
}

/** The body as an error of the API (docs/internals/api.md, "Errors"); undefined if it is anything else. */
function errorIn({ json, flaw }: Body): { code?: unknown; message?: unknown; details?: unknown } | undefined {
  const isError = flaw === undefined && typeof json === 'object' && json !== null && !Array.isArray(json)
  return isError ? json : undefined
}

/** A page of a portal or proxy. With any status, it does not come from the API. */
const isPage = (body: string) => body.trimStart().startsWith('<')

/** Removes secrets from a text of the server. */
export type Redact = (text: string) => string

/** Upper limit for a quoted body, in characters. */
const longestQuote = 200

/** The start of a body. Secrets are removed before the cut, since half of a secret would not be recognized. */
function quote(body: string, redact: Redact): string {
  const text = redact(body).replace(/\s+/g, ' ').trim()
  return text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text
}

/**
 * The problem with an error that is not the API's own. A page is not quoted, because it does not help readers
 * of the log.
 */
function describeForeignError(body: string, redact: Redact): string {
  const problem = 'a body that is not the JSON error of the API'
  return body.trim() === '' || isPage(body) ? problem : `${problem}: ${quote(body, redact)}`
}

/** The fields that the error message already contains or that are empty. */
const usualFields = ['code', 'message', 'details']

/** Replaces a missing message with the body, if that has further fields. */
function describeMissingMessage(error: object, body: string, redact: Redact): string {
  const isAllTold = Object.keys(error).every(field => usualFields.includes(field))
  return isAllTold ? 'no message' : `no message, but ${quote(body, redact)}`
}

const missing = (call: CallDescription, response: HttpResponse, field: string) =>
  unreadable(
    call,
    response,
    `where ${field} is missing or differs from the specification`,
    'report this with the operation and the name of the field',
  )

function readError(
  call: CallDescription,
  response: HttpResponse,
  body: Body,
  redact: Redact,
): ApiError | UnreadableAnswerError {
  const { status } = response
  if (status < 400) {
    return unreadable(
      call,
      response,
      'a redirect, which is not followed',
      'set base_url to the address that it redirects to, if you trust that address',
    )
  }
  const error = errorIn(body)
  if (error === undefined)
    return unreadable(call, response, describeForeignError(body.text, redact), adviceForGateway(call, status))
  const isServerMessage = typeof error.message === 'string' && error.message !== ''
  return new ApiError(call, {
    status,
    code: typeof error.code === 'string' || typeof error.code === 'number' ? String(error.code) : undefined,
    message: isServerMessage ? String(error.message) : describeMissingMessage(error, body.text, redact),
    isServerMessage,
    details: error.details,
    retryAfter: response.headers['retry-after'],
  })
}

/** Whether the answer is only a notice about a change; the action reads the result later. */
const isNotice = ({ method, creates, reads }: Endpoint) =>
  method === 'POST' && creates === undefined && reads !== true

/** The id in an answer about another record than the requested one: a cache or proxy mixed up two answers. */
function otherId(row: Endpoint, answer: unknown, parameters: Record<string, unknown>): string | undefined {
  const name = pathParameters(row.path).at(-1)
  if (row.creates !== undefined || name === undefined || typeof answer !== 'object' || answer === null)
    return undefined
  const { service_id, id }: { service_id?: unknown; id?: unknown } = answer
  const told = name === 'service_id' ? service_id : row.method === 'GET' ? id : undefined
  const asked = parameters[name]
  return told === undefined || asked === undefined || told === asked ? undefined : String(told)
}

/**
 * Receives the body of an answer, as JSON or else as text, and the parameters of the call. An exception fails the call.
 */
export type OnAnswer = (body: unknown, parameters: Record<string, unknown>) => void

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
  const whole = parseBody(response.body)
  // Before the filter, so that secrets in any record become known.
  onAnswer?.(whole.json ?? whole.text, parameters)
  const body = narrow(whole, only)
  if (response.status < 200 || response.status > 299) throw readError(call, response, body, redact)
  if (row.response === undefined) {
    // A page must not pass for the success of a deletion or a password change.
    if (isPage(response.body)) throw unreadable(call, response, 'a page, although the API sends no body here')
    return undefined
  }
  const { json: parsed, flaw } = body
  if (flaw !== undefined)
    throw unreadable(call, response, `a body of ${body.text.length} characters that ${flaw}`)
  if (parsed === undefined && isNotice(row)) return undefined
  // An empty body must not pass for an empty list, which would mean that a record is gone.
  if (parsed === undefined && row.method === 'GET') throw unreadable(call, response, 'without a body')
  const problemOf = (path: string) => missing(call, response, path)
  const entries = readMalformed && readEntries(row.response, parsed, problemOf, readMalformed)
  if (entries !== undefined) return entries
  const decoded = row.response.safeParse(parsed)
  const other = decoded.success ? otherId(row, decoded.data, parameters) : undefined
  if (decoded.success && other === undefined) return decoded.data
  if (isNotice(row)) return undefined
  if (other !== undefined)
    throw unreadable(
      call,
      response,
      `about ${other}, another record than the requested one`,
      'run the step again; if it fails again, report it to the owner of the server or proxy',
    )
  const [issue] = decoded.error?.issues ?? []
  throw problemOf(issue?.path.join('.') || 'the whole body')
}
