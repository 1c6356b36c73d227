import { openEdge } from './action/edge.ts'
import { isWithoutKeys } from './action/input-secrets.ts'
import { readInputs } from './action/inputs.ts'
import { isUntrusted, skipStep } from './action/skip.ts'
import { createContext, maskInputs, reportFailure, reportOutcome } from './action/step.ts'
import { readEvent } from './github/event.ts'

/** The step: environment → inputs → operation → outcome → outputs and summary. */
export async function main(): Promise<void> {
  const edge = openEdge(process.env.INPUT_OPERATION ?? '')
  try {
    const event = readEvent(process.env)
    if (isWithoutKeys(process.env) && isUntrusted(event)) return skipStep(edge, event)
    maskInputs(edge, process.env)
    const inputs = readInputs(process.env, event)
    for (const warning of inputs.warnings) edge.log.warning(warning, 'unused input')
    const outcome = await inputs.operation.run(
      inputs.parameters,
      createContext(edge, inputs, event, inputs.patience),
    )
    reportOutcome(edge, { outcome, login: inputs.settings.login }, inputs.exportEnv)
  } catch (error) {
    reportFailure(edge, process.env.INPUT_OPERATION ?? 'operation', error)
  }
}
