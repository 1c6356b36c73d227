import type { Endpoint } from '../api/endpoint.ts'
import { ApiError, type CallDescription, UnreadableAnswerError } from './errors.ts'
import { deepest, isDeeperThan } from './nesting.ts'
import type { HttpResponse } from './seam.ts'

/** JSON nested so deeply that code that walks through it would fail. */
class NestingError extends Error {}

/** The body as JSON; `undefined` for an empty one. Throws SyntaxError or NestingError. */
function parseBody(body: string): unknown {
  const parsed: unknown = body.trim() === '' ? undefined : JSON.parse(body)
  if (isDeeperThan(deepest, parsed)) throw new NestingError()
  return parsed
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

/** The body as an error of the API (docs/api.md, "Errors"); undefined if it is something else. */
function parseErrorBody(body: string): { code?: unknown; message?: unknown; details?: unknown } | undefined {
  try {
    const parsed = parseBody(body)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** A page of a portal or proxy: whatever its status, it does not come from the API. */
const isPage = (body: string) => body.trimStart().startsWith('<')

function readError(call: CallDescription, response: HttpResponse): ApiError | UnreadableAnswerError {
  const { status } = response
  if (status < 400) {
    return unreadable(
      call,
      response,
      'a redirect, which is not followed',
      'set base_url to the address it redirects to, if you trust it',
    )
  }
  const error = parseErrorBody(response.body)
  if (error === undefined) return unreadable(call, response, 'a body that is not the JSON error of the API')
  return new ApiError(call, {
    status,
    code: typeof error.code === 'string' || typeof error.code === 'number' ? String(error.code) : undefined,
    message: typeof error.message === 'string' && error.message !== '' ? error.message : 'no message',
    details: error.details,
    retryAfter: response.headers['retry-after'],
  })
}

/** Whether the answer only says something about a change: what comes of that is read later. */
const onlyTells = ({ method, creates, reads }: Endpoint) =>
  method === 'POST' && creates === undefined && reads !== true

/**
 * Decodes an answer by its row. An empty body, or one of another shape, is fine if the call only starts something, and
 * an error if a record was to be read or created (docs/api.md, "Reading tolerantly").
 *
 * @throws ApiError for the API's own errors, UnreadableAnswerError for anything else
 */
export function readAnswer(call: CallDescription, row: Endpoint, response: HttpResponse): unknown {
  if (response.status < 200 || response.status > 299) throw readError(call, response)
  if (row.response === undefined) {
    // A page must not pass for the success of a deletion or a new password.
    if (isPage(response.body)) throw unreadable(call, response, 'a page, although the API sends no body here')
    return undefined
  }
  let parsed: unknown
  try {
    parsed = parseBody(response.body)
  } catch (error) {
    const flaw = error instanceof NestingError ? `is nested deeper than ${deepest} levels` : 'is not JSON'
    throw unreadable(call, response, `a body of ${response.body.length} characters that ${flaw}`)
  }
  if (parsed === undefined && onlyTells(row)) return undefined
  // An empty body must not pass for an empty list, which would mean that a record is gone.
  if (parsed === undefined && row.method === 'GET') throw unreadable(call, response, 'without a body')
  const decoded = row.response.safeParse(parsed)
  if (decoded.success) return decoded.data
  if (onlyTells(row)) return undefined
  const [issue] = decoded.error.issues
  const field = issue?.path.join('.') || 'the whole body'
  throw unreadable(
    call,
    response,
    `where ${field} is missing or not what the specification says`,
    'report this with the operation and the name of the field',
  )
}
