import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHost } from '../../src/action/host/host.ts'
import { main } from '../../src/main.ts'
import { post } from '../../src/post.ts'
import { parseEnvironmentFile, parseFileCommands } from '../../tools/runner/file-command.ts'
import {
  fileCommands,
  type StepOptions,
  type StepResult,
  stepEnvironment,
} from '../../tools/runner/run-step.ts'
import { mortalSeam, PlayedProcess } from './played-process.ts'
import { playedToolkit } from './played-toolkit.ts'

/** Variables that the action itself reads. Others act on the process: on its proxies, libpq or Node.js. */
const heeded = /^(?:GITHUB|RUNNER|ACTIONS|INPUT|STATE)_/

/** Rejects options that have no meaning without a process. */
function refuseProcessOptions({ environment = {}, dist, outputFile, signal }: StepOptions): void {
  const options = Object.entries({ dist, outputFile, signal }).filter(([, value]) => value !== undefined)
  const variables = Object.keys(environment).filter(name => !heeded.test(name))
  const strange = [...options.map(([name]) => name), ...variables]
  if (strange.length > 0) throw new Error(`a step with ${strange.join(', ')} needs a process of its own`)
}

/** The text that a step has printed so far. Each line is reported once it is complete. */
class Printed {
  text = ''
  readonly #onLine: (line: string) => void
  #rest = ''

  constructor(onLine: (line: string) => void = () => {}) {
    this.#onLine = onLine
  }

  readonly write = (chunk: string) => {
    // A lone surrogate leaves a process as U+FFFD.
    this.text += chunk.toWellFormed()
    const lines = (this.#rest + chunk.toWellFormed()).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#onLine(line)
  }
}

/**
 * Runs a step like `runStep`, with inputs in an environment, and outputs, state and summary in files, but from `src/`
 * and in this process: with the real network, in a tenth of the time of a process. Another seam may change how time
 * passes.
 */
export async function playStep(options: StepOptions, realSeam = openHost().seam): Promise<StepResult> {
  refuseProcessOptions(options)
  const folder = mkdtempSync(join(tmpdir(), 'step-'))
  try {
    for (const name of fileCommands) writeFileSync(join(folder, name), '')
    let stderr = ''
    const printed = new Printed(options.onLine)
    const process = new PlayedProcess(stepEnvironment(options, folder))
    const { signal: over } = process.over
    const toolkit = playedToolkit(process, printed.write)
    const seam = mortalSeam(realSeam, over)
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
    const [output, state, environment, summary] = fileCommands.map(name =>
      readFileSync(join(folder, name), 'utf8'),
    )
    return {
      exitCode: process.exitCode ?? 0,
      stdout: printed.text,
      stderr,
      outputs: parseFileCommands(output ?? ''),
      state: parseFileCommands(state ?? ''),
      environment: parseEnvironmentFile(environment ?? ''),
      summary: summary ?? '',
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
