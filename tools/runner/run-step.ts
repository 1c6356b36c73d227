/** Runs a step like GitHub's runner. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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

function collect(stream: Readable | null, onLine: ((line: string) => void) | undefined): { text: string } {
  const collected = { text: '' }
  if (stream === null) return collected
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    collected.text += chunk
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine?.(line)
  })
  stream.on('end', () => {
    if (rest !== '') onLine?.(rest)
  })
  return collected
}

/**
 * Runs an entry of the committed bundle like the runner: in its own process, with inputs in the environment, and
 * outputs, state and summary in files.
 */
export async function runStep(options: StepOptions): Promise<StepResult> {
  const folder = await mkdtemp(join(tmpdir(), 'step-'))
  try {
    await Promise.all(fileCommands.map(name => writeFile(join(folder, name), '')))
    const { entries } = readActionFile(options.action ?? 'action.yml')
    const entry = entries[options.entry ?? 'index']
    const program = options.dist === undefined ? entry : join(options.dist, basename(entry))
    const child = spawn(process.execPath, [program], {
      env: stepEnvironment(options, folder),
      stdio: ['ignore', options.outputFile ?? 'pipe', options.outputFile ?? 'pipe'],
      ...(options.signal && { signal: options.signal }),
    })
    const stdout = collect(child.stdout, options.onLine)
    const stderr = collect(child.stderr, options.onLine)
    const stopReading = () => [child.stdout, child.stderr].map(stream => stream?.destroy())
    options.onStart?.(signal => child.kill(signal), stopReading)
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 1)))
    })
    const [output, state, environment, summary] = await Promise.all(
      fileCommands.map(name => readFile(join(folder, name), 'utf8')),
    )
    return {
      exitCode,
      stdout: stdout.text,
      stderr: stderr.text,
      outputs: parseFileCommands(output ?? ''),
      state: parseFileCommands(state ?? ''),
      environment: parseEnvironmentFile(environment ?? ''),
      summary: summary ?? '',
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
