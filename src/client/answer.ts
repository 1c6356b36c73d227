import { type Endpoint, pathParameters } from '#api/endpoint'
import { adviceForGateway, type CallDescription } from '#base/advice'
import { ApiError, UnreadableAnswerError } from '#base/errors'
import { isDeeperThan, maxDepth } from '#base/nesting'
import type { HttpResponse } from '#base/seam'
import { keepOnly, type ReadMalformed, type RecordFilter, readEntries } from './list-answer.ts'

/** A body that was parsed. */
interface Body {
  text: string
  /** Undefined for an empty one, and for what is not JSON. */
  json?: unknown
  /** Why the JSON must not be used, or that it is none. */
  flaw?: string
}

function parseBody(text: string): Body {
  try {
    return { text, json: text.trim() === '' ? undefined : JSON.parse(text) }
  } catch {
    return { text, flaw: 'is not JSON' }
  }
}

/** Of a list, `only` some records: to decode those that no one wants takes ten times as long as to parse them. */
function narrow({ text, json: parsed, ...rest }: Body, only: RecordFilter | undefined): Body {
  const json = only && Array.isArray(parsed) ? keepOnly(parsed, only) : parsed
  // Code that walks through it would fail.
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

/** The body as an error of the API (docs/internals/api.md, "Errors"); undefined if it is something else. */
function errorIn({ json, flaw }: Body): { code?: unknown; message?: unknown; details?: unknown } | undefined {
  const isError = flaw === undefined && typeof json === 'object' && json !== null && !Array.isArray(json)
  return isError ? json : undefined
}

/** A page of a portal or proxy: whatever its status, it does not come from the API. */
const isPage = (body: string) => body.trimStart().startsWith('<')

/** Takes secrets out of a text from the server. */
export type Redact = (text: string) => string

/** The most characters of a body that an error quotes. */
const longestQuote = 200

/** The beginning of a body. Secrets are taken out before it is cut, since half of one would not be recognized. */
function quote(body: string, redact: Redact): string {
  const text = redact(body).replace(/\s+/g, ' ').trim()
  return text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text
}

/** What is wrong with an error that is not the API's own: a page says nothing to a reader of the log, a text may. */
function describeForeign(body: string, redact: Redact): string {
  const problem = 'a body that is not the JSON error of the API'
  return body.trim() === '' || isPage(body) ? problem : `${problem}: ${quote(body, redact)}`
}

/** The fields of an error that are told elsewhere, or are known to be empty. */
const usualFields = ['code', 'message', 'details']

/** What to say in place of a message: the body, if there is something in it that is not told anyway. */
function describeSilence(error: object, body: string, redact: Redact): string {
  const isAllTold = Object.keys(error).every(field => usualFields.includes(field))
  return isAllTold ? 'no message' : `no message, but ${quote(body, redact)}`
}

const missing = (call: CallDescription, response: HttpResponse, field: string) =>
  unreadable(
    call,
    response,
    `where ${field} is missing or not what the specification says`,
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
      'set base_url to the address it redirects to, if you trust it',
    )
  }
  const error = errorIn(body)
  if (error === undefined)
    return unreadable(call, response, describeForeign(body.text, redact), adviceForGateway(call, status))
  const isServerMessage = typeof error.message === 'string' && error.message !== ''
  return new ApiError(call, {
    status,
    code: typeof error.code === 'string' || typeof error.code === 'number' ? String(error.code) : undefined,
    message: isServerMessage ? String(error.message) : describeSilence(error, body.text, redact),
    isServerMessage,
    details: error.details,
    retryAfter: response.headers['retry-after'],
  })
}

/** Whether the answer only says something about a change: what comes of that is read later. */
const onlyTells = ({ method, creates, reads }: Endpoint) =>
  method === 'POST' && creates === undefined && reads !== true

/**
 * The id in an answer that is about another record than the one asked for: a cache or proxy mixed up two answers.
 * Undefined if there is none.
 */
function otherId(row: Endpoint, answer: unknown, parameters: Record<string, unknown>): string | undefined {
  const name = pathParameters(row.path).at(-1)
  if (row.creates !== undefined || name === undefined || typeof answer !== 'object' || answer === null)
    return undefined
  const { service_id, id }: { service_id?: unknown; id?: unknown } = answer
  const told = name === 'service_id' ? service_id : row.method === 'GET' ? id : undefined
  const asked = parameters[name]
  return told === undefined || asked === undefined || told === asked ? undefined : String(told)
}

/** Is told what an answer holds, as JSON or else as text, and what was asked for. It may throw, which fails the call. */
export type OnAnswer = (body: unknown, parameters: Record<string, unknown>) => void

/** What a call asked for, and how to read and show its answer. */
export interface Reading {
  parameters: Record<string, unknown>
  redact: Redact
  onAnswer?: OnAnswer | undefined
  /** Of a list: which of its records to read. */
  only?: RecordFilter | undefined
  /** What to do with entries of a list that cannot be read; without it, one of them fails the list. */
  readMalformed?: ReadMalformed | undefined
}

/**
 * Decodes an answer by its row. An empty body, or one of another shape or about another record, is fine if the call only
 * starts something, and an error if a record was to be read or created (docs/internals/api.md, "Reading tolerantly").
 *
 * @throws ApiError for the API's own errors, UnreadableAnswerError for anything else
 */
export function readAnswer(
  call: CallDescription,
  row: Endpoint,
  response: HttpResponse,
  { parameters, redact, onAnswer, only, readMalformed }: Reading,
): unknown {
  const whole = parseBody(response.body)
  // Before the filter: a secret in any record is to be known.
  onAnswer?.(whole.json ?? whole.text, parameters)
  const body = narrow(whole, only)
  if (response.status < 200 || response.status > 299) throw readError(call, response, body, redact)
  if (row.response === undefined) {
    // A page must not pass for the success of a deletion or a new password.
    if (isPage(response.body)) throw unreadable(call, response, 'a page, although the API sends no body here')
    return undefined
  }
  const { json: parsed, flaw } = body
  if (flaw !== undefined)
    throw unreadable(call, response, `a body of ${body.text.length} characters that ${flaw}`)
  if (parsed === undefined && onlyTells(row)) return undefined
  // An empty body must not pass for an empty list, which would mean that a record is gone.
  if (parsed === undefined && row.method === 'GET') throw unreadable(call, response, 'without a body')
  const problemOf = (path: string) => missing(call, response, path)
  const entries = readMalformed && readEntries(row.response, parsed, problemOf, readMalformed)
  if (entries !== undefined) return entries
  const decoded = row.response.safeParse(parsed)
  const other = decoded.success ? otherId(row, decoded.data, parameters) : undefined
  if (decoded.success && other === undefined) return decoded.data
  if (onlyTells(row)) return undefined
  if (other !== undefined)
    throw unreadable(
      call,
      response,
      `about ${other}, which was not asked for`,
      'run the step again; if that does not help, report this to the owner of the server or proxy',
    )
  const [issue] = decoded.error?.issues ?? []
  throw problemOf(issue?.path.join('.') || 'the whole body')
}
