// Runs the steps of a job.

import { RunnerLog } from './rendered-log.ts'
import { runStep } from './run-step.ts'

/** A step of a workflow that uses the action of this repository; inputs may hold `${{ … }}`. */
export interface Step {
  id: string
  with: Record<string, string>
}

/** A step ended with an exit code other than 0. */
export class StepError extends Error {
  override name = 'StepError'
}

export interface JobOptions {
  /** By name, as `secrets.NAME`; hidden in the log. */
  secrets: Record<string, string>
  /** Added to the environment of this process for every step. */
  environment: NodeJS.ProcessEnv
  /** Ends the running step, as cancelling the job does. */
  signal: AbortSignal
}

/** Milliseconds that the runner gives a cancelled step before it kills it (actions/runner, ProcessInvoker.cs). */
const grace = 7500

/** The step as YAML of a workflow in this repository. */
export function renderStep(step: Step): string[] {
  const inputs = Object.entries(step.with).map(([name, value]) => `    ${name}: ${value}`)
  return [`- id: ${step.id}`, '  uses: ./', '  with:', ...inputs]
}

/**
 * Ends the process of a step after an abort: first with a signal, then by force. Returns a function that cancels this.
 */
function cancelOn(signal: AbortSignal, kill: (signal: NodeJS.Signals) => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const cancel = () => {
    kill('SIGINT')
    timer = setTimeout(() => kill('SIGKILL'), grace)
  }
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel)
  return () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}

/** A job: its steps run one after the other, each may use the outputs of those before it. */
export class Job {
  readonly log = new RunnerLog()
  readonly #options: JobOptions
  /** The values for `${{ … }}`. */
  readonly #values = new Map<string, string>()

  constructor(options: JobOptions) {
    this.#options = options
    for (const [name, value] of Object.entries(options.secrets)) {
      this.#values.set(`secrets.${name}`, value)
      this.log.mask(value)
    }
  }

  /**
   * Runs the step on the committed bundle; `onLine` gets its log in the runner's form. Resolves with its outputs.
   * @throws StepError when the step fails
   */
  async run(step: Step, onLine: (line: string) => void): Promise<Record<string, string>> {
    const { environment, signal } = this.#options
    const show = (line: string) => {
      const shown = this.log.show(line)
      if (shown !== undefined) onLine(shown)
    }
    const inputs = Object.fromEntries(
      Object.entries(step.with).map(([name, text]) => [name, this.#evaluate(text)]),
    )
    let release = () => {}
    const { exitCode, outputs } = await runStep({
      inputs,
      environment,
      onStart: kill => {
        release = cancelOn(signal, kill)
      },
      onLine: show,
    }).finally(() => release())
    if (exitCode !== 0) throw new StepError(`the step "${step.id}" failed with exit code ${exitCode}`)
    for (const [name, value] of Object.entries(outputs))
      this.#values.set(`steps.${step.id}.outputs.${name}`, value)
    return outputs
  }

  /** An expression without a value is empty, as on GitHub. */
  #evaluate(text: string): string {
    return text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => this.#values.get(name) ?? '')
  }
}
