/** Reads an answer of the API: returns its records, or throws the error that it reports. */
import { type Endpoint, pathParameters } from '#api/endpoint'
import { hasKnownField, itemSchemas } from '#api/list-items'
import { adviseOnGatewayError, type CallDescription } from '#base/advice'
import { ApiError, UnreadableAnswerError } from '#base/errors'
import type { HttpResponse } from '#base/seam'
import { isRecord, isTooDeep, maxDepth, textOf } from '#base/unknown-values'

export type RecordFilter = (record: Record<string, unknown>) => boolean

/** Returns the replacements of a malformed record in its list, or throws the problem. */
export type ReadMalformed = (entry: unknown, problem: UnreadableAnswerError) => unknown[]

/** Receives the body of an answer: parsed if it is JSON, otherwise as text. An exception fails the call. */
export type OnAnswer = (body: unknown, parameters: Record<string, unknown>) => void

export type Redact = (text: string) => string

export interface ListOptions {
  /** Selects the records of a list to read. The others may have any shape, and cost no time. */
  only?: RecordFilter
  /** Handles malformed records of a list. Without it, one of them fails the list. */
  readMalformed?: ReadMalformed
}

/** The parameters of a call, and the way to read and show its answer. */
export interface ReadOptions extends ListOptions {
  parameters: Record<string, unknown>
  redact: Redact
  onAnswer?: OnAnswer | undefined
}

interface Body {
  /** Undefined if the body is empty or not JSON. */
  json?: unknown
  /** Why the body is not usable, as the end of a sentence: `is not JSON`. */
  flaw?: string
}

function parseBody(text: string): Body {
  try {
    return { json: text.trim() === '' ? undefined : JSON.parse(text) }
  } catch {
    return { flaw: 'is not JSON' }
  }
}

/** Keeps the records that `only` selects, since decoding is slow, and items that are no objects, to report them. */
function selectRecords({ json: parsed, flaw }: Body, only: RecordFilter | undefined): Body {
  const isListed = only && Array.isArray(parsed)
  const json = isListed ? parsed.filter(item => !isRecord(item) || only(item)) : parsed
  // The schemas are recursive code, which would overflow the stack.
  if (isTooDeep(json)) return { json, flaw: `is nested deeper than ${maxDepth} levels` }
  return flaw === undefined ? { json } : { json, flaw }
}

/** Creates the error of an answer; `problem` completes the list of its properties. */
type CreateUnreadable = (problem: string, next?: string) => UnreadableAnswerError

/** A page of a portal or proxy. With any status, it does not come from the API. */
const isPage = (text: string) => text.trimStart().startsWith('<')

/** Upper limit for a quoted body, in characters. */
const longestQuote = 200

/** The start of a body. Secrets are removed before the cut, since half of a secret would not be recognized. */
function quote(body: string, redact: Redact): string {
  const text = redact(body).replace(/\s+/g, ' ').trim()
  return text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text
}

/** The fields of an error that the action reports anyway. */
const reportedFields = ['code', 'message', 'details']

/** The error of an answer with another status than 2xx (docs/internals/api.md, "Errors"). */
function readError(
  call: CallDescription,
  { status, headers, body: text }: HttpResponse,
  { json, flaw }: Body,
  { redact, createUnreadable }: { redact: Redact; createUnreadable: CreateUnreadable },
): ApiError | UnreadableAnswerError {
  if (status < 400)
    return createUnreadable(
      'a redirect, which is not followed',
      'set base_url to the address that it redirects to, if you trust that address',
    )
  if (flaw !== undefined || !isRecord(json)) {
    // A page does not help readers of the log.
    const quoted = text.trim() === '' || isPage(text) ? '' : `: ${quote(text, redact)}`
    return createUnreadable(
      `a body that is not the JSON error of the API${quoted}`,
      adviseOnGatewayError(call, status),
    )
  }
  const { code, details } = json
  const message = textOf(json.message)
  const hasMore = Object.keys(json).some(field => !reportedFields.includes(field))
  return new ApiError(call, {
    status,
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : undefined,
    message: message || (hasMore ? `no message, but ${quote(text, redact)}` : 'no message'),
    isServerMessage: Boolean(message),
    details,
    retryAfter: headers['retry-after'],
  })
}

/** Whether the contents of the answer do not matter, because the action reads the changed record later. */
const isAnswerIgnored = ({ method, creates, reads }: Endpoint) =>
  method === 'POST' && creates === undefined && reads !== true

/** The id in an answer about another record than the requested one. (A cache or proxy may mix up two answers.) */
function findOtherId(
  row: Endpoint,
  answer: unknown,
  parameters: Record<string, unknown>,
): string | undefined {
  const name = pathParameters(row.path).at(-1)
  if (row.creates !== undefined || name === undefined || !isRecord(answer)) return undefined
  const requestedId = parameters[name]
  let answeredId: unknown
  if (name === 'service_id') answeredId = answer.service_id
  else if (row.method === 'GET') answeredId = answer.id
  if (answeredId === undefined || requestedId === undefined) return undefined
  return answeredId === requestedId ? undefined : String(answeredId)
}

/** A list with more malformed records fails, to save time. */
const mostMalformed = 100

/** Undefined if no entry has an expected field: then it is not a list of the API. */
function readEntries(
  schema: NonNullable<Endpoint['response']>,
  parsed: unknown,
  createMissingField: (field: PropertyKey[]) => UnreadableAnswerError,
  readMalformed: ReadMalformed,
): unknown[] | undefined {
  const item = itemSchemas.get(schema)
  if (item === undefined || !Array.isArray(parsed)) return undefined
  if (parsed.length > 0 && !parsed.some(entry => hasKnownField(item, entry))) return undefined
  let malformed = 0
  return parsed.flatMap((entry, index) => {
    const read = item.safeParse(entry)
    if (read.success) return [read.data]
    const problem = createMissingField([index, ...(read.error.issues[0]?.path ?? [])])
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
  { parameters, redact, onAnswer, only, readMalformed }: ReadOptions,
): unknown {
  const { status, headers, body: text } = response
  const createUnreadable: CreateUnreadable = (problem, next) =>
    new UnreadableAnswerError(call, {
      status,
      problem,
      contentType: headers['content-type'] ?? '',
      retryAfter: headers['retry-after'],
      ...(next && { next }),
    })
  const createMissingField = (field: PropertyKey[]) =>
    createUnreadable(
      `where ${field.join('.') || 'the whole body'} is missing or differs from the specification`,
      'report this with the operation and the name of the field',
    )
  const whole = parseBody(text)
  // The filter must not hide a secret from the listener.
  onAnswer?.(whole.json ?? text, parameters)
  const body = selectRecords(whole, only)
  if (status < 200 || status > 299) throw readError(call, response, body, { redact, createUnreadable })
  if (row.response === undefined) {
    // A page must not pass for the success of a deletion or a password change.
    if (isPage(text)) throw createUnreadable('a page, although the API sends no body here')
    return undefined
  }
  const { json: parsed, flaw } = body
  if (flaw !== undefined) throw createUnreadable(`a body of ${text.length} characters that ${flaw}`)
  if (parsed === undefined && isAnswerIgnored(row)) return undefined
  // An empty body must not pass for an empty list, which would mean that a record is gone.
  if (parsed === undefined && row.method === 'GET') throw createUnreadable('without a body')
  const entries = readMalformed && readEntries(row.response, parsed, createMissingField, readMalformed)
  if (entries !== undefined) return entries
  const decoded = row.response.safeParse(parsed)
  const otherId = decoded.success ? findOtherId(row, decoded.data, parameters) : undefined
  if (decoded.success && otherId === undefined) return decoded.data
  if (isAnswerIgnored(row)) return undefined
  if (otherId === undefined) throw createMissingField(decoded.error?.issues[0]?.path ?? [])
  throw createUnreadable(
    `about ${otherId}, another record than the requested one`,
    'run the step again; if it fails again, report it to the owner of the server or proxy',
  )
}
