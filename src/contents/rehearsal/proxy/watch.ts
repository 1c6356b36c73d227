/** Something that a client had a backend run, as the proxy saw it. Times are those of the seam's monotonic clock. */
export interface Ran {
  /** The id of the backend's process, as the server gave it to the client. */
  backend: number
  sql: string
  startedAt: number
  endedAt: number
  /** What the server says was done, like `INSERT 0 1`; missing where it failed or gave no answer. */
  tag?: string
  failure?: { code: string; message: string }
  /**
   * Whether it ran in a transaction that was still open behind it: the client's, or one that the proxy put around it. Else
   * it was its own transaction, as VACUUM is, and nothing could be read before its locks were gone.
   */
  inTransaction: boolean
  /** Milliseconds that the census behind it took: the transaction was so much longer. */
  censusTook: number
}

/** What the census gave: its rows, each value in the server's own words. */
export type Census = readonly (readonly (string | null)[])[]

/** Looks on while a client works through the proxy. */
export interface Watch {
  /**
   * The SQL, one SELECT, that the proxy sends on the same backend behind each statement that ran in a transaction. The client
   * never sees its answer. It should be the same text each time, since the proxy has it prepared. Empty for none.
   */
  census(backend: number): string
  /**
   * A statement ran. There is no census behind a statement that failed, one that only steers the transaction or the session
   * (BEGIN, SET, SAVEPOINT), and one that others were sent behind while it was not known whether a transaction is open.
   */
  ran(ran: Ran, census: Census | undefined): void
  /** A transaction that was told of is over, and its locks are gone. */
  ended(backend: number, at: number, how: 'commit' | 'rollback' | 'closed'): void
  /** Something could not be measured, or did not get through: a sentence for people. */
  trouble(backend: number | undefined, problem: string): void
}
