import { readInputs } from './action/inputs.ts'
import { exportConnection, writeOutputs } from './action/outputs.ts'
import { createContext, maskInputs, openEdge, reportFailure } from './action/step.ts'
import { renderDone, renderSuccess, writeSummary } from './action/summary.ts'

/** The step: environment → inputs → operation → outcome → outputs and summary. */
export async function main(): Promise<void> {
  const edge = openEdge()
  const { log, secrets } = edge
  try {
    const inputs = readInputs(process.env)
    maskInputs(edge, inputs)
    for (const warning of inputs.warnings) log.warning(warning)
    const outcome = await inputs.operation.run(inputs.parameters, createContext(edge, inputs))
    const source = { outcome, login: inputs.settings.login }
    writeOutputs(source, log)
    if (inputs.exportEnv) exportConnection(source, log)
    writeSummary(renderSuccess(source, secrets))
    log.info(renderDone(outcome))
  } catch (error) {
    reportFailure(edge, process.env.INPUT_OPERATION ?? 'operation', error)
  }
}
