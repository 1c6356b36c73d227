/** Runs a job of a workflow. */
import { spawn } from 'node:child_process'
import { delimiter, join, resolve } from 'node:path'
import { readActionFile } from '../../../tools/runner/action-file.ts'
import { RunnerLog } from '../../../tools/runner/rendered-log.ts'
import { runStep, type StepOptions, type StepResult } from '../../../tools/runner/run-step.ts'
import { canRunInProcess, runStepInProcess } from '../../support/run-step-in-process.ts'
import type { SecretWatch } from '../../support/secret-watch.ts'
import { type Contexts, holds, interpolate, interpolateAll, type Status } from './expressions.ts'
import { ownPathOf } from './reference-to-us.ts'
import { repository, type WorkflowJob, type WorkflowStep } from './workflow-file.ts'

export interface StepRecord {
  step: WorkflowStep
  outcome: 'success' | 'failure' | 'skipped'
  outputs: Record<string, string>
  summary: string
}

export interface JobRecord {
  result: 'success' | 'failure' | 'skipped'
  outputs: Record<string, string>
  steps: StepRecord[]
  log: string[]
}

/** The context that the run gives to a job. */
export interface JobOptions {
  contexts: Contexts
  secrets: string[]
  environment: NodeJS.ProcessEnv
  watch: SecretWatch
}

const checkout = /^actions\/checkout@[0-9a-f]{40}$/

/** Shorter waits than a workflow asks for: the emulator's lists do not lag. */
const shorterWaits = { list_lag: '50ms' }

/** Runs the steps of a job in order, then their post steps in reverse order. */
export class JobRun {
  readonly #job: WorkflowJob
  readonly #options: JobOptions
  readonly #log = new RunnerLog()
  readonly #lines: string[] = []
  readonly #steps: StepRecord[] = []
  readonly #ends: (() => Promise<number>)[] = []
  readonly #exported: Record<string, string> = {}
  #status: Status = 'success'

  constructor(job: WorkflowJob, options: JobOptions) {
    this.#job = job
    this.#options = options
    for (const secret of options.secrets) this.#log.mask(secret)
  }

  async run(): Promise<JobRecord> {
    for (const step of this.#job.steps ?? []) this.#steps.push(await this.#runStep(step))
    // A job's outputs are read before the post steps run (actions/runner, JobExtension.cs).
    const outputs = this.#readOutputs()
    for (const end of this.#ends.reverse()) if ((await end()) !== 0) this.#status = 'failure'
    this.#options.watch.examine('the log of the job', this.#lines.join('\n'))
    const result = this.#status === 'success' ? 'success' : 'failure'
    return { result, outputs, steps: this.#steps, log: this.#lines }
  }

  #contexts(): Contexts {
    const steps = this.#steps.flatMap(({ step, outcome, outputs }) =>
      step.id ? [[step.id, { outcome, conclusion: outcome, outputs }]] : [],
    )
    return { ...this.#options.contexts, steps: Object.fromEntries(steps), job: { status: this.#status } }
  }

  /** The runner drops an output that holds a masked value. */
  #readOutputs(): Record<string, string> {
    const all = Object.entries(interpolateAll(this.#job.outputs, this.#contexts()))
    return Object.fromEntries(all.filter(([, value]) => this.#log.redact(value) === value))
  }

  async #runStep(step: WorkflowStep): Promise<StepRecord> {
    const skipped = { step, outcome: 'skipped', outputs: {}, summary: '' } as const
    if (!holds(step.if, this.#contexts(), this.#status)) return skipped
    const record = await this.#carryOut(step)
    if (record.outcome === 'failure') this.#status = 'failure'
    return record
  }

  async #carryOut(step: WorkflowStep): Promise<StepRecord> {
    const env = interpolateAll(step.env, this.#contexts())
    if (step.run !== undefined) {
      const exitCode = await this.#runBash(interpolate(step.run, this.#contexts()), env)
      return { step, outcome: exitCode === 0 ? 'success' : 'failure', outputs: {}, summary: '' }
    }
    const path = ownPathOf(step.uses)
    if (path !== undefined) return await this.#runAction(step, env, join(path, 'action.yml'))
    // The working folder is the repository already.
    if (checkout.test(step.uses ?? '')) return { step, outcome: 'success', outputs: {}, summary: '' }
    throw new Error(`the examples are not expected to use ${step.uses}`)
  }

  #play(options: StepOptions): Promise<StepResult> {
    return this.#options.watch.run(options, canRunInProcess(options) ? runStepInProcess : runStep)
  }

  async #runAction(step: WorkflowStep, env: Record<string, string>, action: string): Promise<StepRecord> {
    const { defaults } = readActionFile(action)
    // Evaluated again for the post step, as the runner does: job.status has changed by then.
    const call = () => ({
      action,
      inputs: { ...interpolateAll({ ...defaults, ...step.with }, this.#contexts()), ...shorterWaits },
      environment: { ...this.#options.environment, ...this.#exported, ...env },
      onLine: this.#show,
    })
    const { exitCode, outputs, state, environment, summary } = await this.#play(call())
    Object.assign(this.#exported, environment)
    this.#ends.push(async () => (await this.#play({ ...call(), entry: 'post', state })).exitCode)
    return { step, outcome: exitCode === 0 ? 'success' : 'failure', outputs, summary }
  }

  /** The runner starts `bash -e` if no shell is named. */
  #runBash(script: string, env: Record<string, string>): Promise<number> {
    const stand = join(import.meta.dirname, 'bin')
    const child = spawn('bash', ['-e', '-c', script], {
      cwd: repository,
      env: {
        ...process.env,
        ...this.#options.environment,
        ...this.#exported,
        ...env,
        PATH: [stand, resolve(process.execPath, '..'), process.env.PATH].join(delimiter),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      let text = ''
      stream.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      stream.on('end', () => text.split('\n').forEach(this.#show))
    }
    return new Promise((done, reject) => {
      child.once('error', reject)
      child.once('close', code => done(code ?? 1))
    })
  }

  readonly #show = (line: string): void => {
    const shown = this.#log.show(line)
    if (shown !== undefined && shown !== '') this.#lines.push(shown)
  }
}
