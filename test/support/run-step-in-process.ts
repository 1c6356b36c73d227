/** Runs a step in the process of the test. */
import { openHost, type Toolkit } from '#action/host/host'
import type { Seam } from '#base/seam'
import { main } from '#main'
import { post } from '#post'
import {
  readStepFiles,
  type StepOptions,
  StepOutput,
  type StepResult,
  stepEnvironment,
  withStepFolder,
} from '../../tools/runner/run-step.ts'
import { endSeamWithProcess, SimulatedProcess } from './simulated-process.ts'

/** Replaces the runner's toolkit, which supports only one process: each call uses the step's process. */
function playedToolkit(played: SimulatedProcess, print: (chunk: string) => void): Toolkit {
  const { toolkit } = openHost()
  function within<Result>(act: () => Result): Result | undefined {
    if (played.over.signal.aborted) return undefined
    const { env, exitCode, stdout } = process
    const { write } = stdout
    process.env = played.env
    process.exitCode = undefined
    stdout.write = (chunk: string | Uint8Array) => {
      print(String(chunk))
      return true
    }
    try {
      return act()
    } finally {
      if (process.exitCode !== undefined) played.exitCode = process.exitCode
      process.env = env
      process.exitCode = exitCode
      stdout.write = write
    }
  }

  return {
    info: line => within(() => toolkit.info(line)),
    debug: line => within(() => toolkit.debug(line)),
    notice: line => within(() => toolkit.notice(line)),
    warning: (line, properties) => within(() => toolkit.warning(line, properties)),
    error: (line, properties) => within(() => toolkit.error(line, properties)),
    setSecret: secret => within(() => toolkit.setSecret(secret)),
    setOutput: (name, value) => within(() => toolkit.setOutput(name, value)),
    exportVariable: (name, value) => within(() => toolkit.exportVariable(name, value)),
    saveState: (name, value) => within(() => toolkit.saveState(name, value)),
    getState: name => within(() => toolkit.getState(name)) ?? '',
  }
}

/**
 * Variables that the action reads, gives to commands, or hides from its own connections. Others affect the process:
 * proxies, libpq or Node.js.
 */
const actionVariables = /^(?:(?:GITHUB|RUNNER|ACTIONS|INPUT|STATE)_|(?:PATH|PGOPTIONS)$)/

function processOptions({ environment = {}, dist, outputFile, signal }: StepOptions): string[] {
  const options = Object.entries({ dist, outputFile, signal }).filter(([, value]) => value !== undefined)
  const variables = Object.keys(environment).filter(name => !actionVariables.test(name))
  return [...options.map(([name]) => name), ...variables]
}

export const canRunInProcess = (options: StepOptions): boolean => processOptions(options).length === 0

/** The longest real sleep of a step, in milliseconds: all its servers are on this machine. */
const longestSleep = 100

function openSleeplessSeam(): Seam {
  const { seam } = openHost()
  return { ...seam, sleep: (ms, signal) => seam.sleep(Math.min(ms, longestSleep), signal) }
}

/**
 * Runs a step like `runStep`, but from `src/` in this process, with short sleeps. Uses the real network, and takes a
 * tenth of the time. Another seam may change how time passes.
 */
export async function runStepInProcess(
  options: StepOptions,
  realSeam = openSleeplessSeam(),
): Promise<StepResult> {
  const unsupported = processOptions(options)
  if (unsupported.length > 0)
    throw new Error(`a step with ${unsupported.join(', ')} needs a process of its own`)
  return await withStepFolder(async folder => {
    let stderr = ''
    const printed = new StepOutput(options.onLine)
    const process = new SimulatedProcess(stepEnvironment(options, folder))
    const { signal: over } = process.over
    // A lone surrogate leaves a process as U+FFFD.
    const toolkit = playedToolkit(process, chunk => printed.write(chunk.toWellFormed()))
    const seam = endSeamWithProcess(realSeam, over)
    const ended = new Promise(resolve => over.addEventListener('abort', resolve))
    options.onStart?.(
      signal => process.kill(signal),
      () => {
        throw new Error('a reader that goes away needs a process of its own')
      },
    )
    const run = options.entry === 'post' ? post : main
    run({ process, toolkit, seam }).then(
      () => process.end(),
      (error: Error) => {
        stderr = error.stack ?? error.message
        process.end(1)
      },
    )
    await ended
    return { exitCode: process.exitCode ?? 0, stdout: printed.text, stderr, ...readStepFiles(folder) }
  })
}
