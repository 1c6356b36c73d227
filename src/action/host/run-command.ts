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

/** Variables that commands do not get: inputs and state, tokens and command files of the job, settings of libpq. */
const withheld =
  /^(?:INPUT_|STATE_|ACTIONS_|PG[A-Z]+$|GITHUB_(?:ENV|OUTPUT|PATH|STATE|STEP_SUMMARY)$|(?:GITHUB|GH)_(?:ENTERPRISE_)?TOKEN$)/i

/** Upper limit for a line, in characters. A longer line is logged in parts. */
const longestLine = 16_384

/** Milliseconds between SIGTERM and SIGKILL, less than the 5 s after which a cancelled step ends. */
const killDelay = 2500

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

function startShell(command: string, options: CommandOptions): ChildProcess {
  const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const]
  const common = { cwd: options.folder, env: environmentFor(options), stdio }
  return process.platform === 'win32'
    ? spawn(command, { ...common, shell: true })
    : spawn('sh', ['-e', '-c', command], { ...common, detached: true })
}

/** Sends SIGTERM, and SIGKILL after `killDelay`; then stops reading. Returns a function that cancels the latter. */
function terminate(child: ChildProcess): () => void {
  signalGroup(child, 'SIGTERM')
  const killTimer = setTimeout(() => {
    signalGroup(child, 'SIGKILL')
    // A process that left the group may hold these streams open.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, killDelay)
  return () => clearTimeout(killTimer)
}

/**
 * Runs a command with a shell, and resolves with its exit code; after a signal, with 128 + its number. Ends the
 * command's background processes too. Rejects if the command cannot start, or with the signal's reason once an
 * aborted command ended.
 */
export function runCommand(command: string, options: CommandOptions): Promise<number> {
  const { signal, onLine } = options
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const child = startShell(command, options)
    if (child.stdout) readLines(child.stdout, onLine)
    if (child.stderr) readLines(child.stderr, onLine)
    let cancelKill: (() => void) | undefined
    const stop = () => {
      cancelKill ??= terminate(child)
    }
    signal.addEventListener('abort', stop, { once: true })
    child.once('exit', stop)
    const settle = (act: () => void) => {
      cancelKill?.()
      signal.removeEventListener('abort', stop)
      act()
    }
    child.once('error', error => settle(() => reject(error)))
    child.once('close', (code, name) =>
      settle(() => {
        if (signal.aborted) reject(signal.reason)
        else resolve(code ?? 128 + constants.signals[name ?? 'SIGTERM'])
      }),
    )
  })
}
