/** Cancels a step, and ends its process in time. */
import type { EventEmitter } from 'node:events'
import { ActionError, CancelledError } from '#base/errors'

/** Milliseconds for a creating POST in flight. The runner kills 10 s after SIGINT (actions/runner, ProcessInvoker.cs). */
const creatingGrace = 4000
/** Milliseconds from the signal until the process ends in any case. */
const exitDelay = 5000

/**
 * Turns the runner's SIGINT and SIGTERM, and an uncaught exception, into an abort of all waits. (For an
 * uncaught exception Node.js would print source text instead of an error.) If the process still runs 5 s
 * later, `onStuck` must end it. `signal` is aborted at once. `creatingSignal` is aborted later, for creating
 * POSTs: an interrupted one may leave a record of unknown id.
 */
export function watchCancellation(onStuck: (reason: Error) => void, process: EventEmitter) {
  const now = new AbortController()
  const later = new AbortController()
  const cancel = (reason: Error) => {
    if (now.signal.aborted) return
    now.abort(reason)
    setTimeout(() => later.abort(reason), creatingGrace)
    // Must not be unref'd: with nothing left to wait for, the process would end with another exit code.
    setTimeout(() => onStuck(reason), exitDelay)
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => cancel(new CancelledError(name)))
  // Node.js emits this event for an unhandled rejection too.
  process.on('uncaughtException', (failure: unknown) =>
    cancel(failure instanceof Error ? failure : new Error(String(failure))),
  )
  return { signal: now.signal, creatingSignal: later.signal }
}

/** Throws the uncaught exception that aborted the signal, if any: the operation may have ended as if it succeeded. */
export function assertNoDefect({ aborted, reason }: AbortSignal): void {
  if (aborted && !(reason instanceof CancelledError)) throw reason
}

/** The cancellation in the chain of causes of an error, if there is one. */
function findCancellation(error: unknown): CancelledError | undefined {
  if (!(error instanceof Error)) return undefined
  return error instanceof CancelledError ? error : findCancellation(error.cause)
}

/** The exit code after a signal, 128 + its number; after any other failure the error's own, or 1. */
export function exitCodeOf(error: unknown): number {
  const cancellation = findCancellation(error)
  if (cancellation) return cancellation.signalName === 'SIGINT' ? 130 : 143
  const own = error instanceof ActionError ? error.exitCode : undefined
  return own || 1
}

/** Resolves when all output is written, or the stream is broken. */
const flush = (stream: NodeJS.WriteStream) =>
  new Promise<void>(resolve => {
    stream.write('', () => resolve())
  })

/** Ends the process once all output is written. A DNS lookup, which cannot be cancelled, would delay it by minutes. */
export async function exitAfterOutput(): Promise<never> {
  await Promise.all([flush(process.stdout), flush(process.stderr)])
  process.exit()
}
