/** Cancels a step, and ends its process in time. */
import type { EventEmitter } from 'node:events'
import { ActionError, CancelledError } from '#base/errors'

/**
 * Milliseconds for a creating POST in flight; the runner kills 10 s after SIGINT (actions/runner, ProcessInvoker.cs).
 */
const grace = 4000
/** Milliseconds after the signal when the process ends in any case. */
const patience = 5000

export interface Cancellation {
  /** Aborted at once. */
  signal: AbortSignal
  /** Aborted later, for creating POSTs: an interrupted one may leave a record of unknown id. */
  creatingSignal: AbortSignal
}

/**
 * Turns the runner's SIGINT and SIGTERM, and an uncaught exception, into an abort of all waits. (For an
 * uncaught exception Node.js would print source text instead of an error.) If the process still runs 5 s
 * later, `onStuck` must end it.
 */
export function watchCancellation(onStuck: (reason: Error) => void, process: EventEmitter): Cancellation {
  const now = new AbortController()
  const later = new AbortController()
  const end = (reason: Error) => {
    if (now.signal.aborted) return
    now.abort(reason)
    setTimeout(() => later.abort(reason), grace)
    // Must not be unref'd: with nothing left to wait for, the process would end with another exit code.
    setTimeout(() => onStuck(reason), patience)
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => end(new CancelledError(name)))
  // Node.js also emits it for an unhandled rejection.
  process.on('uncaughtException', (failure: unknown) =>
    end(failure instanceof Error ? failure : new Error(String(failure))),
  )
  return { signal: now.signal, creatingSignal: later.signal }
}

/** Throws the uncaught exception, if it aborted the signal: the work may have ended without it. */
export function assertNoDefect({ aborted, reason }: AbortSignal): void {
  if (aborted && !(reason instanceof CancelledError)) throw reason
}

/** The cancellation in the chain of causes of an error, if there is one. */
function cancellationOf(error: unknown): CancelledError | undefined {
  if (!(error instanceof Error)) return undefined
  return error instanceof CancelledError ? error : cancellationOf(error.cause)
}

/** The exit code after a signal, 128 + its number; after any other failure the error's own, or 1. */
export function exitCodeOf(error: unknown): number {
  const cancellation = cancellationOf(error)
  if (cancellation === undefined) return (error instanceof ActionError && error.exitCode) || 1
  return cancellation.signalName === 'SIGINT' ? 130 : 143
}

/** Resolves when all output is written, or the stream is broken. */
const flushed = (stream: NodeJS.WriteStream) =>
  new Promise<void>(resolve => {
    stream.write('', () => resolve())
  })

/** Ends the process after its work: a DNS lookup cannot be cancelled, and would keep the process alive for minutes. */
export async function leave(): Promise<never> {
  await Promise.all([flushed(process.stdout), flushed(process.stderr)])
  process.exit()
}
