/** The interface through which the tap reports the sessions of a migration. */

/** A statement of a session. Times are from the seam's monotonic clock. */
export interface ObservedStatement {
  sql: string
  /** The time of its message. The server answers the statements of one message at once, so `startedAt` can be far too late. */
  sentAt: number
  startedAt: number
  endedAt: number
  /** The server's command tag, such as `INSERT 0 1`; undefined if the statement failed or got no answer. */
  tag?: string
  failure?: { code: string; message: string }
}

/** The transaction of a session: none, open, or open and failed. */
export type TransactionStatus = 'I' | 'T' | 'E'

/** Observes sessions. While a returned promise is pending, the tap holds back the message that caused the call. */
export interface Watch {
  /** The client sends statements outside a transaction, so their locks cannot be read in time. */
  onSend(statements: string[]): void
  /** The server answered `ran` and is ready. The client gets ReadyForQuery afterwards. */
  onReady(backend: number, ran: ObservedStatement[], status: TransactionStatus): Promise<void> | undefined
  /** The client ends its transaction with a statement that the server gets afterwards. */
  onEnding(backend: number): Promise<void> | undefined
  /** The connection ended. */
  onClosed(backend: number): void
  /** A message could not be read or relayed. `problem` is one sentence. */
  onProblem(problem: string): void
}
