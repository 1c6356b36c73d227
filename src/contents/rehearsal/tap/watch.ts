/** What the tap reports about the sessions of a migration. */

/** A statement that a session ran. Times are those of the seam's monotonic clock. */
export interface Ran {
  sql: string
  /** When its message was sent. The server answers the statements of one message at once, so `startedAt` can be far too late. */
  sentAt: number
  startedAt: number
  endedAt: number
  /** The server's word for the result, such as `INSERT 0 1`; missing if the statement failed or gave no answer. */
  tag?: string
  failure?: { code: string; message: string }
}

/** The state of a session's transaction: none, open, or open and failed. */
export type TransactionStatus = 'I' | 'T' | 'E'

/** Observes sessions. While a returned promise is pending, the tap holds back the message that caused the call. */
export interface Watch {
  /** The client sends statements outside a transaction, so that nobody can read their locks in time. */
  sent(statements: string[]): void
  /** The server answered `ran` and is ready. The client gets ReadyForQuery afterwards. */
  ready(backend: number, ran: Ran[], status: TransactionStatus): Promise<void> | undefined
  /** The client ends its transaction with a statement that the server gets afterwards. */
  ending(backend: number): Promise<void> | undefined
  /** The session is over. */
  closed(backend: number): void
  /** Something could not be read or relayed: one sentence. */
  trouble(problem: string): void
}
