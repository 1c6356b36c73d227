/** Logs a heartbeat while an operation is silent. */
import { type AnyCall, type Client, clientOf } from '#client/client'
import type { Calls, Log } from '../base/context.ts'
import { longestSilence } from '../base/timeline.ts'

/** A client whose calls are spans of the timeline. */
function withNamedCalls({ client, timeline }: Calls): Client {
  const call: AnyCall = (...asked) =>
    timeline.time(`waiting for the answer of ${asked[0]}`, () => client.callAny(...asked))
  return clientOf(call, () => client.date())
}

/** Runs an operation, and logs its current span after a silence, except during a wait that has announced its length. */
export async function withHeartbeat<Needed extends Calls, Result>(
  outer: Needed,
  run: (context: Needed) => Promise<Result>,
): Promise<Result> {
  const { seam, timeline } = outer
  let lastLine = seam.now()
  const noting =
    <Given extends unknown[]>(write: (...given: Given) => void) =>
    (...given: Given) => {
      lastLine = seam.now()
      write(...given)
    }
  const { info, notice, warning, debug } = outer.log
  const log: Log = { info: noting(info), notice: noting(notice), warning: noting(warning), debug }
  const silentUntil = () => Math.max(lastLine + longestSilence, timeline.quietUntil)
  // An announced wait may end earlier.
  const listen = (): (() => void) => seam.after(Math.min(longestSilence, silentUntil() - seam.now()), beat)
  const beat = () => {
    if (seam.now() >= silentUntil()) log.info(`still ${timeline.current ?? 'running this step'}`)
    callOff = listen()
  }
  let callOff = listen()
  try {
    return await run({ ...outer, log, client: withNamedCalls(outer) })
  } finally {
    callOff()
  }
}
