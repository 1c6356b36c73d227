/** Runs a command of the workflow. */
import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'

export interface CommandOptions {
  folder: string
  /** Added to the environment. */
  variables: Record<string, string>
  environment: NodeJS.ProcessEnv
  isSecret(text: string): boolean
  onLine(line: string): void
  /** Ends the command and all processes that it has started. */
  signal: AbortSignal
}

/**
 * Variables that commands do not get: inputs and state of the step, tokens and command files of the job, and
 * the settings of libpq.
 */
const withheld =
  /^(?:INPUT_|STATE_|ACTIONS_|PG[A-Z]+$|GITHUB_(?:TOKEN|ENV|OUTPUT|PATH|STATE|STEP_SUMMARY)$|GH_TOKEN$)/i

/** Upper limit for a line without an end, in characters. */
const longestLine = 16_384

/** Milliseconds between SIGTERM and SIGKILL; the step is cut off after 5 s. */
const patience = 2500

function environmentFor({ variables, environment, isSecret }: CommandOptions): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name, value]) => !withheld.test(name) && value !== undefined && !isSecret(value),
  )
  return { ...Object.fromEntries(kept), ...variables }
}

function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const lines = (rest + text).split(/\r?\n|\r/)
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
    if (rest.length <= longestLine) return
    onLine(rest)
    rest = ''
  })
  stream.on('end', () => {
    if (rest !== '') onLine(rest)
  })
}

/** Sends a signal to the command and to all processes that it has started, where the system has process groups. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid === undefined || process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {}
}

function start(command: string, options: CommandOptions): ChildProcess {
  const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const]
  const common = { cwd: options.folder, env: environmentFor(options), stdio }
  return process.platform === 'win32'
    ? spawn(command, { ...common, shell: true })
    : spawn('sh', ['-e', '-c', command], { ...common, detached: true })
}

/**
 * Ends the process group of a command, by force after a while, and stops reading its output. Returns a
 * function that cancels the force.
 */
function end(child: ChildProcess): () => void {
  signalGroup(child, 'SIGTERM')
  const late = setTimeout(() => {
    signalGroup(child, 'SIGKILL')
    // A process outside of the group may hold them open.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, patience)
  return () => clearTimeout(late)
}

/**
 * Runs a command with a shell, and resolves with its exit code: 128 and more after a signal. Its background processes
 * end with it. Rejects if the command cannot start, and with the signal's reason after an aborted command has ended.
 */
export function runCommand(command: string, options: CommandOptions): Promise<number> {
  const { signal, onLine } = options
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const child = start(command, options)
    for (const stream of [child.stdout, child.stderr]) if (stream) readLines(stream, onLine)
    let callOff: (() => void) | undefined
    const stop = () => {
      callOff ??= end(child)
    }
    signal.addEventListener('abort', stop, { once: true })
    child.once('exit', stop)
    const settle = (act: () => void) => {
      callOff?.()
      signal.removeEventListener('abort', stop)
      act()
    }
    child.once('error', error => settle(() => reject(error)))
    child.once('close', (code, name) =>
      settle(() =>
        signal.aborted ? reject(signal.reason) : resolve(code ?? 128 + constants.signals[name ?? 'SIGTERM']),
      ),
    )
  })
}
