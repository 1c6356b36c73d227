import type { Part, SqlStatement } from './statements.ts'
import type { Census, Ran } from './watch.ts'

/** A statement that was sent, until it is told of. */
export interface Report {
  statement: SqlStatement | Part
  ran: Ran
  /** The server has answered it. */
  isDone: boolean
  /** The census behind it is on its way. */
  isAsked?: boolean
  census?: Census | undefined
}

/** The most bytes of a turn that are kept to send it again. */
const mostKept = 65_536

/** The server says that a statement cannot run in a transaction, or cannot end one there. Nothing of it is done then. */
const needsNoTransaction = /^(?:25001|2D000)$/

/**
 * What a client is answered with one ReadyForQuery: a login, a simple message, or messages of the extended protocol up to
 * Sync.
 */
export class Turn {
  readonly kind: 'login' | 'simple' | 'extended'
  /** The client has sent all of it. */
  isEnded: boolean
  /** The proxy has begun a transaction for it. */
  isWrapped = false
  /** Something was sent to the server. */
  isBegun = false
  /** The client has sent the last row of a COPY. */
  hasCopied = false
  /** Behind what was sent, a transaction is open for certain. */
  isOpen = false
  /** What the server does next is known only when it has answered. */
  isLate = false
  hasFailed = false
  /** The server can run it only outside a transaction: it is sent once more, as it was. */
  isForRetry = false
  /** The client has been told something that cannot be told twice. */
  isTold = false
  /** A message whose syntax the server is asked about before its statements are sent one by one. */
  unchecked: Buffer | undefined
  hasBadSyntax = false
  /** Of a simple message, those not sent yet. */
  parts: Part[] = []
  readonly reports: Report[] = []
  /** Held back until it is clear that the statement is not sent once more. */
  beginning: Buffer | undefined
  /** Held back until the transaction is committed: that the statement is done, and what came behind. */
  ending: Buffer[] = []
  endingSize = 0
  /** Messages that go in front of the next one. */
  ahead: Buffer[] = []
  /** All that it takes to send it once more; undefined if that is too much. */
  kept: Buffer[] | undefined = []
  #keptSize = 0
  /** How many answers the client gets before the first statement runs, to what is sent again. */
  answersBefore = 0
  /** How many answers the client has got before, and must not get again. */
  answersToSkip = 0

  constructor(kind: Turn['kind'], isEnded: boolean) {
    this.kind = kind
    this.isEnded = isEnded
  }

  keep(bytes: Buffer): void {
    this.#keptSize += bytes.length
    if (this.#keptSize > mostKept) this.kept = undefined
    this.kept?.push(bytes)
  }

  /** Whether a failure is that of the transaction around it, the client has been told nothing yet, and all of it is there. */
  canBeSentAgain(code: string): boolean {
    if (!needsNoTransaction.test(code) || !this.isWrapped || this.isTold) return false
    return this.kind === 'simple'
      ? this.reports.length + this.parts.length === 1
      : this.kept !== undefined && !this.hasAnswers
  }

  /** The one that the server works on. */
  get underWay(): Report | undefined {
    return this.reports.find(({ isDone }) => !isDone)
  }

  get hasAnswers(): boolean {
    return this.reports.some(({ isDone }) => isDone)
  }

  get lastMeasured(): Report | undefined {
    return this.reports.findLast(({ statement }) => statement.kind !== 'steers')
  }
}
