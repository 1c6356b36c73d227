/** Runs a step: reads the inputs, runs the operation, then writes outputs and summary. */
import { warnOfCertificates } from './action/certificates.ts'
import { assertNoDefect } from './action/host/cancellation.ts'
import { openEdge } from './action/host/edge.ts'
import type { Host } from './action/host/host.ts'
import { isWithoutKeys } from './action/inputs/input-secrets.ts'
import { runOperation } from './action/inputs/operation-table.ts'
import { readInputs } from './action/inputs/read-inputs.ts'
import { isUntrusted, skipStep } from './action/skip.ts'
import { createContext, maskInputs, reportFailure, reportOutcome } from './action/step.ts'
import { readEvent } from './github/event.ts'

export async function main(host: Host): Promise<void> {
  const { env } = host.process
  const edge = openEdge(env.INPUT_OPERATION ?? '', host)
  try {
    const event = readEvent(env)
    if (isWithoutKeys(env) && isUntrusted(event)) return skipStep(edge, event)
    maskInputs(edge, env)
    const inputs = readInputs(env, event)
    warnOfCertificates(edge, env)
    for (const { message, title } of inputs.warnings) edge.log.warning(message, title)
    const context = createContext(edge, inputs, event, inputs.waitTimeout)
    const outcome = await runOperation(inputs.operation, inputs.parameters, context)
    reportOutcome(
      edge,
      { outcome, login: inputs.settings.login, sealSecret: inputs.sealSecret },
      inputs.exportEnv,
    )
    assertNoDefect(context.signal)
  } catch (error) {
    reportFailure(edge, env.INPUT_OPERATION ?? 'operation', error)
  }
}
