/** Logs a heartbeat while an operation is silent. */
import { type AnyCall, type Client, clientOf } from '#client/client'
import type { Calls, Log } from '../base/context.ts'

/** Milliseconds without a line after which the step logs its current span. */
const longestSilence = 4500

/** The same during an announced wait, whose purpose and length the log already has. */
const longestSilenceOfWait = 30_000

/** A client whose calls are spans of the timeline. */
function withNamedCalls({ client, timeline }: Calls): Client {
  const call: AnyCall = (name, ...rest) =>
    timeline.time(`waiting for the answer of ${name}`, () => client.callAny(name, ...rest))
  return clientOf(call, () => client.date())
}

/** Runs an operation. After each silence, logs its current span: `still waiting for service s1 to be ready`. */
export async function withHeartbeat<Needed extends Calls, Result>(
  outer: Needed,
  run: (context: Needed) => Promise<Result>,
): Promise<Result> {
  const { seam, timeline } = outer
  let cancelTimer = () => {}
  let lastLine = 0
  let isOver = false
  const startTimer = () => {
    cancelTimer()
    if (isOver) return
    cancelTimer = seam.after(longestSilence, () => {
      const isExpected = seam.now() + longestSilence - lastLine <= longestSilenceOfWait
      const current = timeline.findCurrent(longestSilence)
      if (current?.isWait && isExpected) startTimer()
      else log.info(`still ${current?.name ?? 'running this step'}`)
    })
  }
  const noteLine = () => {
    lastLine = seam.now()
    startTimer()
  }
  const restarting =
    <Given extends unknown[]>(write: (...given: Given) => void) =>
    (...given: Given) => {
      noteLine()
      write(...given)
    }
  const { info, notice, warning, debug } = outer.log
  const log: Log = { info: restarting(info), notice: restarting(notice), warning: restarting(warning), debug }
  noteLine()
  try {
    return await run({ ...outer, log, client: withNamedCalls(outer) })
  } finally {
    isOver = true
    cancelTimer()
  }
}
