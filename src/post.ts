/** Runs the post step, which deletes the records that the step created, if `cleanup` requires it. */
import { assertNoDefect } from './action/host/cancellation.ts'
import { openEdge } from './action/host/edge.ts'
import type { Host } from './action/host/host.ts'
import { readInputs } from './action/inputs/read-inputs.ts'
import { readJournal } from './action/journal.ts'
import { createContext, maskInputs, reportFailure } from './action/step.ts'
import { readEvent } from './github/event.ts'
import { cleanUp, isCleanupDue } from './operations/cleanup/cleanup.ts'
import { withHeartbeat } from './operations/wait/heartbeat.ts'

/** Milliseconds. The post steps of a cancelled job have 5 minutes together (GitHub, "Workflow cancellation"). */
const timeLimit = 4 * 60_000

export async function post(host: Host): Promise<void> {
  const { env } = host.process
  const edge = openEdge(`cleanup of ${env.INPUT_OPERATION ?? 'the step'}`, host)
  try {
    const journaled = readJournal(host)
    if (journaled.intent === undefined) return
    maskInputs(edge, env)
    const event = readEvent(env)
    const inputs = readInputs(env, event)
    if (!isCleanupDue(inputs.settings.cleanup, inputs.jobStatus)) return
    const context = createContext(edge, inputs, event, timeLimit)
    await withHeartbeat(context, inner => cleanUp(inner, journaled))
    assertNoDefect(context.signal)
  } catch (error) {
    reportFailure(edge, 'cleanup', error)
  }
}
