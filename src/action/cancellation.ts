import { CancelledError } from '../client/errors.ts'

/** What an in-flight creating POST gets to finish; the runner kills 10 s after SIGINT (actions/runner, ProcessInvoker.cs). */
const grace = 4000

export interface Cancellation {
  /** Aborted at once. */
  signal: AbortSignal
  /** Aborted a little later: cutting off a creating POST leaves a record of unknown id (DESIGN rule 11). */
  creatingSignal: AbortSignal
}

/** Turns the runner's SIGINT and SIGTERM into an abort of everything that waits. */
export function watchCancellation(): Cancellation {
  const now = new AbortController()
  const later = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      const reason = new CancelledError(name)
      now.abort(reason)
      setTimeout(() => later.abort(reason), grace).unref()
    })
  }
  return { signal: now.signal, creatingSignal: later.signal }
}

/** The exit code of a process that ended by the signal: 128 + its number. */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof CancelledError)) return 1
  return error.signalName === 'SIGINT' ? 130 : 143
}

/** Ends the process although a connection may still be open: a cancelled step has seconds (DESIGN rule 11). */
export function leaveSoon(): void {
  setTimeout(() => process.exit(), 250).unref()
}
