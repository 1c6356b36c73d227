/** Logs a heartbeat while an operation is silent. */
import { type AnyCall, type Client, clientOf } from '#client/client'
import type { Calls, Log } from '../base/context.ts'
import { longestSilence } from '../base/timeline.ts'

/** A client whose calls are spans of the timeline. */
function withNamedCalls({ client, timeline }: Calls): Client {
  const call: AnyCall = (name, ...rest) =>
    timeline.time(`waiting for the answer of ${name}`, () => client.callAny(name, ...rest))
  return clientOf(call, () => client.date())
}

/** Runs an operation. After a silence, logs its current span, unless a wait has announced a longer silence. */
export async function withHeartbeat<Needed extends Calls, Result>(
  outer: Needed,
  run: (context: Needed) => Promise<Result>,
): Promise<Result> {
  const { seam, timeline } = outer
  let lastLine = seam.now()
  const noteLine =
    <Given extends unknown[]>(write: (...given: Given) => void) =>
    (...given: Given) => {
      lastLine = seam.now()
      write(...given)
    }
  const { info, notice, warning, debug } = outer.log
  const log: Log = { info: noteLine(info), notice: noteLine(notice), warning: noteLine(warning), debug }
  const silentUntil = () => Math.max(lastLine + longestSilence, timeline.quietUntil)
  // The timer never waits for a whole announced wait, which may end earlier.
  const startTimer = (): (() => void) =>
    seam.after(Math.min(longestSilence, silentUntil() - seam.now()), beat)
  const beat = () => {
    if (seam.now() >= silentUntil()) log.info(`still ${timeline.current ?? 'running this step'}`)
    cancelTimer = startTimer()
  }
  let cancelTimer = startTimer()
  try {
    return await run({ ...outer, log, client: withNamedCalls(outer) })
  } finally {
    cancelTimer()
  }
}
