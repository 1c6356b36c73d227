import { adviceFor, type CallDescription } from './advice.ts'
import { renderSeconds } from './duration.ts'
import { parseHttpDate } from './timestamp.ts'

/** A place in a file of the repository: line and column count from 1. */
export interface SourcePlace {
  file: string
  line: number
  column: number
}

/** An error made for the person who reads the log: one line saying what failed, and what to do next. */
export class ActionError extends Error {
  /** What to do next: an imperative sentence without full stop. */
  readonly next: string
  /** What the error is about, if that is in the repository. */
  place?: SourcePlace
  /** What the step ends with, where that is not 1. */
  exitCode?: number

  constructor(message: string, next: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.next = next
  }
}

/** What failed, in the words of the failure itself. */
export const messageOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure)

/** A message of an error without its request, which means nothing to readers of a comment. */
export const withoutRequest = (message: string): string =>
  message.replace(/ \((?:GET|POST|PUT|PATCH|DELETE) \/[^\s)]*\)/g, '')

/** A failure as part of a line in the log or comment: what failed and, if known, what to do next. */
export function renderAdvised(failure: unknown): string {
  const message = messageOf(failure)
  return failure instanceof ActionError ? `${message} — ${failure.next}` : message
}

const describe = ({ operation, method, path }: CallDescription) => `${operation} (${method} ${path})`

/** How long the server asks to wait, for a message; nothing for a header that is neither seconds nor a date. */
function describePause(retryAfter = ''): string {
  const pause = retryAfter.trim()
  const isOne = /^\d{1,9}$/.test(pause) || parseHttpDate(pause) !== undefined
  return isOne ? ` (Retry-After: ${pause})` : ''
}

/** The server answered with an error in the API's own JSON (docs/internals/api.md, "Errors"). */
export class ApiError extends ActionError {
  readonly call: CallDescription
  readonly status: number
  readonly code: string | undefined
  readonly details: unknown
  readonly retryAfter: string | undefined
  /** The server's own words. */
  readonly serverMessage: string
  /** Whether the answer to an earlier try of the call was lost, which may have been processed. */
  isAfterLostAnswer = false

  constructor(
    call: CallDescription,
    answer: {
      status: number
      code?: string | undefined
      message: string
      /** Whether the message is the server's own, in the place where the API has it. */
      isTold?: boolean
      details?: unknown
      retryAfter?: string | undefined
    },
  ) {
    const code = answer.code ? ` ${answer.code}` : ''
    super(
      `${describe(call)} failed with ${answer.status}${code}: ${answer.message}${describePause(answer.retryAfter)}`,
      adviceFor(call, answer.status, answer.message, answer.isTold ?? true),
    )
    this.call = call
    this.status = answer.status
    this.code = answer.code
    this.details = answer.details
    this.retryAfter = answer.retryAfter
    this.serverMessage = answer.message
  }
}

/** The server, or something on the way to it, answered with something else than the API's JSON. */
export class UnreadableAnswerError extends ActionError {
  readonly call: CallDescription
  readonly status: number
  readonly retryAfter: string | undefined

  constructor(
    call: CallDescription,
    answer: {
      status: number
      contentType: string
      problem: string
      next?: string
      retryAfter?: string | undefined
    },
  ) {
    super(
      `${describe(call)} got an unreadable answer: status ${answer.status}, content type ${answer.contentType || 'none'}, ${answer.problem}${describePause(answer.retryAfter)}`,
      answer.next ??
        'check that base_url is the address of the API, like https://host/public/api/v1, and no proxy answers in its place',
    )
    this.call = call
    this.status = answer.status
    this.retryAfter = answer.retryAfter
  }
}

/** The request did not get through, or its answer did not come back. */
export class TransportError extends ActionError {
  /** The server certainly never saw the request, so any request can be sent again. */
  readonly neverSent: boolean
  /** Another try would fail in the same way, as the cause is how the way is set up. */
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

/** The answer to a change was lost: the change may have been made, and repeating it is not idempotent. */
export class UncertainChangeError extends ActionError {
  constructor(failure: Error) {
    super(
      `${failure.message}; the change may have been made all the same`,
      'look at the record (a get or list operation shows it) before running the step again',
      { cause: failure },
    )
  }
}

/** Adds the call to a failure of the network; errors made from an answer name it already. */
export function duringCall(failure: unknown, call: CallDescription): unknown {
  const onTheWay =
    failure instanceof TransportError ||
    failure instanceof RequestTimeoutError ||
    failure instanceof AnswerTooLargeError
  if (onTheWay) failure.message = `${describe(call)} failed: ${failure.message}`
  return failure
}

/** The job was cancelled: the runner sent SIGINT or SIGTERM. */
export class CancelledError extends ActionError {
  readonly signalName: NodeJS.Signals

  constructor(signalName: NodeJS.Signals) {
    super(
      `cancelled by ${signalName}`,
      'before running the step again, look at what it had begun; what it created is deleted at the end of the job if `cleanup` says so',
    )
    this.signalName = signalName
  }
}
