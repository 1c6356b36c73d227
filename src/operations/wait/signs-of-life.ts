import { type AnyCall, type Client, callAny, clientOf } from '#client/client'
import type { Calls } from '../base/context.ts'
import type { Log } from '../base/log.ts'
import { longestSilence, timed } from '../base/parts.ts'

/** The client, each of whose calls is a stretch with a name. */
function withNamedCalls({ client, parts }: Calls): Client {
  const call: AnyCall = (...asked) =>
    timed({ parts }, `waiting for the answer of ${asked[0]}`, () => callAny(client)(...asked))
  return clientOf(call, () => client.date())
}

/**
 * Runs an operation, and says what keeps it whenever nothing was said for too long: a server that does not answer, for
 * example. A wait that has named its length is left alone for that time.
 */
export async function withSignsOfLife<Needed extends Calls, Result>(
  outer: Needed,
  run: (context: Needed) => Promise<Result>,
): Promise<Result> {
  const { seam, parts } = outer
  let spoken = seam.now()
  const heard =
    <Words extends unknown[]>(say: (...words: Words) => void) =>
    (...words: Words) => {
      spoken = seam.now()
      say(...words)
    }
  const { info, notice, warning, debug } = outer.log
  const log: Log = { info: heard(info), notice: heard(notice), warning: heard(warning), debug }
  const silentUntil = () => Math.max(spoken + longestSilence, parts.quietUntil)
  // A named wait may be over sooner than it said.
  const listen = (): (() => void) => seam.after(Math.min(longestSilence, silentUntil() - seam.now()), beat)
  const beat = () => {
    if (seam.now() >= silentUntil()) log.info(`still ${parts.current ?? 'running this step'}`)
    callOff = listen()
  }
  let callOff = listen()
  try {
    return await run({ ...outer, log, client: withNamedCalls(outer) })
  } finally {
    callOff()
  }
}
