/** Runs a step like GitHub's runner. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { readActionFile } from './action-file.ts'
import { parseEnvironmentFile, parseFileCommands } from './file-command.ts'

/** The results of a step for the runner. */
export interface StepResult {
  exitCode: number
  stdout: string
  stderr: string
  outputs: Record<string, string>
  state: Record<string, string>
  /** Variables for the later steps of the job. */
  environment: Record<string, string>
  summary: string
}

export interface StepOptions {
  /** The `with:` of the step; an empty input is an unset one. */
  inputs: Record<string, string>
  /** The action.yml of the step, from the repository's folder. Default: the one at the top. */
  action?: string
  /** `post` is the entry of the post step. */
  entry?: 'index' | 'post'
  /** The folder of the bundle. Default: the committed one. */
  dist?: string
  /** The state that an earlier entry of the same step saved. */
  state?: Record<string, string>
  /** Added to the environment; undefined removes a variable. */
  environment?: NodeJS.ProcessEnv
  signal?: AbortSignal
  /** `stopReading` closes the other end of stdout and stderr. */
  onStart?: (kill: (signal: NodeJS.Signals) => void, stopReading: () => void) => void
  /** A file descriptor for stdout and stderr, instead of the runner. */
  outputFile?: number
  /** Called with each line of stdout and stderr, in order. */
  onLine?: (line: string) => void
}

/** The variables in which the runner names the files that a step writes to. */
export const fileCommands = ['GITHUB_OUTPUT', 'GITHUB_STATE', 'GITHUB_ENV', 'GITHUB_STEP_SUMMARY'] as const

/** Defaults that are expressions are the caller's task, who knows their contexts. */
const isExpression = (text: string) => /\$\{\{/.test(text)

/** The environment of a step, whose files are in the folder. */
export function stepEnvironment(options: StepOptions, folder: string): NodeJS.ProcessEnv {
  const { defaults } = readActionFile(options.action ?? 'action.yml')
  const plain = Object.entries(defaults).filter(([, value]) => !isExpression(value))
  // The runner upper-cases the name of an input and replaces its spaces (actions/runner, NodeScriptActionHandler.cs).
  const inputs = Object.entries({ ...Object.fromEntries(plain), ...options.inputs }).map(([name, value]) => [
    `INPUT_${name.toUpperCase()}`,
    value,
  ])
  const state = Object.entries(options.state ?? {}).map(([name, value]) => [`STATE_${name}`, value])
  const files = fileCommands.map(name => [name, join(folder, name)])
  const merged = {
    ...process.env,
    ...Object.fromEntries([...files, ...inputs, ...state]),
    ...options.environment,
  }
  return Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== undefined),
  ) as NodeJS.ProcessEnv
}

/** Uses a folder with the empty files of a step, and deletes it. */
export async function withStepFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'step-'))
  try {
    for (const name of fileCommands) writeFileSync(join(folder, name), '')
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The values that a step has written to its files. */
export function readStepFiles(folder: string) {
  const [output = '', state = '', environment = '', summary = ''] = fileCommands.map(name =>
    readFileSync(join(folder, name), 'utf8'),
  )
  return {
    outputs: parseFileCommands(output),
    state: parseFileCommands(state),
    environment: parseEnvironmentFile(environment),
    summary,
  }
}

/** Collects an output of a step, and passes on its lines. */
export class StepOutput {
  text = ''
  readonly #onLine: (line: string) => void
  #rest = ''

  constructor(onLine: (line: string) => void = () => {}) {
    this.#onLine = onLine
  }

  readonly write = (chunk: string): void => {
    this.text += chunk
    const lines = (this.#rest + chunk).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#onLine(line)
  }

  /** Collects a stream to its end. */
  readFrom(stream: Readable | null): this {
    stream?.setEncoding('utf8').on('data', this.write)
    stream?.on('end', () => {
      if (this.#rest !== '') this.#onLine(this.#rest)
    })
    return this
  }
}

/**
 * Runs an entry of the committed bundle like the runner: in its own process, with inputs in the environment, and
 * outputs, state and summary in files.
 */
export function runStep(options: StepOptions): Promise<StepResult> {
  const { entries } = readActionFile(options.action ?? 'action.yml')
  const entry = entries[options.entry ?? 'index']
  const program = options.dist === undefined ? entry : join(options.dist, basename(entry))
  return withStepFolder(async folder => {
    const child = spawn(process.execPath, [program], {
      env: stepEnvironment(options, folder),
      stdio: ['ignore', options.outputFile ?? 'pipe', options.outputFile ?? 'pipe'],
      ...(options.signal && { signal: options.signal }),
    })
    const [stdout, stderr] = [child.stdout, child.stderr].map(stream =>
      new StepOutput(options.onLine).readFrom(stream),
    )
    const stopReading = () => [child.stdout, child.stderr].map(stream => stream?.destroy())
    options.onStart?.(signal => child.kill(signal), stopReading)
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 1)))
    })
    return { exitCode, stdout: stdout?.text ?? '', stderr: stderr?.text ?? '', ...readStepFiles(folder) }
  })
}
