/** The errors of the action, each with a one-line message and an instruction. */
import { adviseOnApiError, type CallDescription } from './advice.ts'
import { renderSeconds } from './duration.ts'
import { parseHttpDate } from './timestamp.ts'
import { messageOf } from './unknown-values.ts'

/** A position in a file of the repository; line and column count from 1. */
export interface SourcePlace {
  file: string
  line: number
  column: number
}

/** An error for the reader of the log: one line with the failure, and one instruction. */
export class ActionError extends Error {
  /** The instruction: an imperative sentence without a full stop. */
  next: string
  /** The cause's position, if it is in the repository. */
  place?: SourcePlace
  /** Exit code of the step, if it is not 1. */
  exitCode?: number

  constructor(message: string, next: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.next = next
  }
}

/** Several failures of one kind. The log joins them in its line, and the summary lists them. */
export class ListError extends ActionError {
  readonly head: string
  readonly failures: readonly string[]

  /** @param head the start of the message; empty if the failures need none */
  constructor(head: string, failures: readonly string[], next: string) {
    super([head, failures.join('; ')].filter(part => part !== '').join(': '), next)
    this.head = head
    this.failures = failures
  }
}

/** The code of a system error, such as ENOENT; empty if the failure has none. */
export const codeOf = (failure: unknown): string =>
  failure instanceof Error && 'code' in failure ? String(failure.code) : ''

/** An error message without method and path, which do not help readers of a comment. */
export const withoutRequest = (message: string): string =>
  message.replace(/ \((?:GET|POST|PUT|PATCH|DELETE) \/[^)]*\)/g, '')

/** A failure and its instruction as a part of a line in the log or the comment. */
export function renderAdvised(failure: unknown): string {
  const message = messageOf(failure)
  return failure instanceof ActionError ? `${message} — ${failure.next}` : message
}

const describeCall = ({ operation, method, path }: CallDescription, sender = '') =>
  `${operation} (${[method, path, sender].join(' ').trimEnd()})`

/** Whether a wrong key, or a key of another server, can cause the status. */
const isAboutKey = (status: number) => status === 401 || status === 403

/** The Retry-After header for a message. Empty unless it is a number of seconds or a date. */
function describeRetryAfter(retryAfter = ''): string {
  const pause = retryAfter.trim()
  const isValid = /^\d{1,9}$/.test(pause) || parseHttpDate(pause) !== undefined
  return isValid ? ` (Retry-After: ${pause})` : ''
}

interface AnswerHead {
  status: number
  retryAfter?: string | undefined
}

/** The error of an answer: of the API itself, or of a server or proxy before it. */
export class AnswerError extends ActionError {
  readonly call: CallDescription
  readonly status: number
  readonly retryAfter: string | undefined

  constructor(call: CallDescription, { status, retryAfter }: AnswerHead, problem: string, next: string) {
    const described = describeCall(call, isAboutKey(status) ? call.sender : undefined)
    super(`${described} ${problem}${describeRetryAfter(retryAfter)}`, next)
    this.call = call
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** An error answer in the API's own JSON (docs/internals/api.md, "Errors"). */
export class ApiError extends AnswerError {
  readonly code: string | undefined
  readonly details: unknown
  readonly serverMessage: string
  /** The answer to an earlier attempt was lost, so the server may have processed that attempt. */
  isAfterLostAnswer = false

  constructor(
    call: CallDescription,
    answer: AnswerHead & {
      code?: string | undefined
      message: string
      /** Whether the message comes from the field of the answer where the API puts it. Default: true. */
      isServerMessage?: boolean
      details?: unknown
    },
  ) {
    const { status, code, message, isServerMessage = true, details } = answer
    const problem = `failed with ${status}${code ? ` ${code}` : ''}: ${message}`
    super(call, answer, problem, adviseOnApiError(call, status, message, isServerMessage))
    this.code = code
    this.details = details
    this.serverMessage = message
  }
}

/** Whether a failure is an error of the API with one of these statuses. */
export const isApiError = (failure: unknown, ...statuses: number[]): failure is ApiError =>
  failure instanceof ApiError && statuses.includes(failure.status)

/** An answer that is not the API's JSON, from the server or a proxy before it. */
export class UnreadableAnswerError extends AnswerError {
  constructor(
    call: CallDescription,
    answer: AnswerHead & { contentType: string; problem: string; next?: string },
  ) {
    const {
      next = 'check that base_url is the address of the API, like https://host/public/api/v1, and not of a proxy',
    } = answer
    const facts = `status ${answer.status}, content type ${answer.contentType || 'none'}, ${answer.problem}`
    super(call, answer, `got an unreadable answer: ${facts}`, next)
  }
}

/** The request did not arrive, or its answer was lost. */
export class TransportError extends ActionError {
  /** The server certainly never saw the request, so every kind of request can be repeated. */
  readonly neverSent: boolean
  /** A retry would fail in the same way, because the cause is a setting (DNS, certificate, proxy). */
  readonly isLasting: boolean

  constructor(
    message: string,
    options: { neverSent: boolean; isLasting?: boolean; next?: string; cause?: unknown },
  ) {
    const { next = 'check base_url and that the runner can reach it (proxy, firewall, DNS)', cause } = options
    super(message, next, { cause })
    this.neverSent = options.neverSent
    this.isLasting = options.isLasting ?? false
  }
}

export class RequestTimeoutError extends ActionError {
  constructor(timeout: number) {
    super(
      `no complete answer within ${renderSeconds(timeout)}`,
      'run the step again, or raise request_timeout (or wait_timeout)',
    )
  }
}

export class AnswerTooLargeError extends ActionError {
  constructor(problem: string) {
    super(`the answer ${problem}`, 'check that base_url is the address of the API')
  }
}

/** The answer to a change that is not idempotent was lost; the server may have made the change. */
export const uncertainChangeError = (failure: Error) =>
  new ActionError(
    `${failure.message}; the change may have been made nevertheless`,
    'check the record with a get or list operation before you run the step again',
    { cause: failure },
  )

/** Adds the call to the message of a network failure. Errors about an answer already name it. */
export function nameCallInMessage(failure: unknown, call: CallDescription): unknown {
  const isNetworkFailure =
    failure instanceof TransportError ||
    failure instanceof RequestTimeoutError ||
    failure instanceof AnswerTooLargeError
  if (isNetworkFailure) failure.message = `${describeCall(call)} failed: ${failure.message}`
  return failure
}

/** The job was cancelled: the runner sent SIGINT or SIGTERM. */
export class CancelledError extends ActionError {
  readonly signalName: NodeJS.Signals

  constructor(signalName: NodeJS.Signals) {
    super(
      `cancelled by ${signalName}`,
      'before you run the step again, check its resources; the post step deletes its resources if `cleanup` is set',
    )
    this.signalName = signalName
  }
}
