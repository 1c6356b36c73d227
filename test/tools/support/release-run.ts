/** Runs the release workflow with stand-ins. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, delimiter, join, resolve } from 'node:path'
import { parseFileCommands } from '../../../tools/runner/file-command.ts'
import { type Contexts, interpolate, interpolateAll } from '../../examples/support/expressions.ts'
import {
  needsOf,
  readWorkflow,
  type WorkflowJob,
  type WorkflowStep,
} from '../../examples/support/workflow-file.ts'

/** The context that GitHub gives to a run of the workflow. */
export interface Situation {
  /** The repository that is checked out, at its newest commit. */
  origin: string
  fullName: string
  /** For the machines of its jobs. */
  temp: string
  /** The folder in which the stand-in for `gh` keeps GitHub's state. */
  ghState: string
  /** A private repository whose plan has no attestations. */
  unsigned?: boolean
  /** The tag of the release that a person has just published. */
  published?: string
}

type Outputs = Record<string, string>

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** The steps of one job, on a machine of its own: only artifacts and outputs pass from one job to another. */
class ReleaseJob {
  readonly #situation: Situation
  readonly #machine: string
  readonly #artifacts: string
  readonly #needs: Contexts
  readonly #steps: Record<string, { outputs: Outputs }> = {}
  log = ''

  constructor(situation: Situation, machine: string, artifacts: string, needs: Contexts) {
    this.#situation = situation
    this.#machine = machine
    this.#artifacts = artifacts
    this.#needs = needs
    for (const folder of ['temp', 'work']) mkdirSync(join(machine, folder), { recursive: true })
  }

  get #work(): string {
    return join(this.#machine, 'work')
  }

  contexts(): Contexts {
    const github = {
      ...{ token: 'ghs_of_this_job', ref: 'refs/heads/main', repository: this.#situation.fullName },
      event: {
        repository: { private: this.#situation.unsigned === true },
        release: { tag_name: this.#situation.published },
      },
    }
    return { github, runner: { temp: join(this.#machine, 'temp') }, needs: this.#needs, steps: this.#steps }
  }

  /** Runs a step; false if it fails, and the job with it. */
  run(step: WorkflowStep): boolean {
    const outputs = step.run === undefined ? this.#use(step) : this.#runScript(step.run, step.env)
    if (step.id) this.#steps[step.id] = { outputs: outputs ?? {} }
    const forgiven = interpolate(step['continue-on-error'], this.contexts()) === 'true'
    return outputs !== undefined || forgiven
  }

  /** The lines as they stand, by `bash -e`, which the runner starts where no shell is named; at
   * Node.js's sockets it would take itself for a remote login, and read this machine's settings. */
  #runScript(script: string, env: WorkflowStep['env']): Outputs | undefined {
    const { origin, fullName, ghState } = this.#situation
    const output = join(this.#machine, 'temp/output')
    writeFileSync(output, '')
    const stands = join(import.meta.dirname, 'bin')
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-e', '-c', script], {
      cwd: this.#work,
      encoding: 'utf8',
      env: {
        ...{ HOME: process.env.HOME, TMPDIR: process.env.TMPDIR, NODE_DISABLE_COMPILE_CACHE: '1' },
        PATH: [stands, resolve(process.execPath, '..'), process.env.PATH].join(delimiter),
        ...{ GITHUB_OUTPUT: output, GITHUB_REPOSITORY: fullName, RUNNER_TEMP: join(this.#machine, 'temp') },
        ...{ GITHUB_SHA: headOf(origin), GH_STATE: ghState },
        // test/emulator/package.test.ts packs the compiled emulator, which takes seconds.
        npm_config_ignore_scripts: 'true',
        ...interpolateAll(env, this.contexts()),
      },
    })
    this.log += stdout + stderr
    return status === 0 ? parseFileCommands(readFileSync(output, 'utf8')) : undefined
  }

  /** The effects of third-party actions that the workflow needs. */
  #use({ uses = '', with: given }: WorkflowStep): Outputs | undefined {
    const inputs = interpolateAll(given, this.contexts())
    const action = uses.replace(/@.*/, '')
    const artifact = join(this.#artifacts, inputs.name ?? '')
    switch (action) {
      case 'actions/checkout':
        execFileSync('git', ['clone', '--quiet', this.#situation.origin, this.#work])
        return {}
      case 'actions/setup-node':
        return {}
      case 'actions/upload-artifact': {
        const files = globSync(inputs.path ?? '', { cwd: this.#work })
        for (const file of files) cpSync(join(this.#work, file), join(artifact, basename(file)))
        return files.length > 0 ? {} : undefined
      }
      case 'actions/download-artifact':
        cpSync(artifact, join(this.#work, inputs.path ?? ''), { recursive: true })
        return {}
      case 'actions/attest-build-provenance':
        return this.#situation.unsigned ? undefined : this.#attest(inputs['subject-checksums'] ?? '')
      default:
        throw new Error(`nobody said what ${action} does`)
    }
  }

  #attest(checksums: string): Outputs {
    const lines = readFileSync(checksums, 'utf8').trimEnd().split('\n')
    const subjects = lines.map(line => {
      const [, digest, name = ''] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? []
      if (digest !== sha256(join(this.#work, name))) throw new Error(`${name} has not the digest ${digest}`)
      return { name, digest: { sha256: digest } }
    })
    const bundle = join(this.#machine, 'temp/attestation.json')
    writeFileSync(bundle, JSON.stringify({ subjects }))
    return { 'bundle-path': bundle }
  }
}

/** The newest commit of a repository. */
export function headOf(origin: string): string {
  return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: origin, encoding: 'utf8' }).trim()
}

/** The jobs of the release workflow. */
export const releaseJobs = (): Record<string, WorkflowJob> =>
  readWorkflow('.github/workflows/release.yml').jobs

/** A run of the release workflow, job by job. */
export class ReleaseRun {
  readonly #situation: Situation
  readonly #folder: string
  readonly #needs: Contexts
  /** The output of the steps and the stand-ins. */
  log = ''

  constructor(situation: Situation, needs: Contexts = {}) {
    this.#situation = situation
    this.#needs = needs
    this.#folder = mkdtempSync(join(situation.temp, 'run-'))
  }

  /** Where jobs hand files on. */
  get artifacts(): string {
    return join(this.#folder, 'artifacts')
  }

  /** Runs one job; gives the step that failed, if one did. */
  runJob(name: string): string | undefined {
    const job = releaseJobs()[name]
    if (job === undefined) throw new Error(`there is no job ${name}`)
    for (const needed of needsOf(job)) if (!(needed in this.#needs)) throw new Error(`${needed} comes first`)
    const run = new ReleaseJob(this.#situation, join(this.#folder, name), this.artifacts, this.#needs)
    const failed = job.steps?.find(step => !run.run(step))
    this.log += run.log
    if (failed) return failed.name ?? failed.uses
    this.#needs[name] = { outputs: interpolateAll(job.outputs, run.contexts()) }
    return undefined
  }

  /** Another run with the results of the jobs of this run, which need not run again. */
  repeat(changes: Partial<Situation>): ReleaseRun {
    const again = new ReleaseRun({ ...this.#situation, ...changes }, { ...this.#needs })
    cpSync(this.artifacts, again.artifacts, { recursive: true })
    return again
  }
}
