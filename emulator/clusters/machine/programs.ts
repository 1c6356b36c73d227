/** Runs PostgreSQL's programs. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { ClosedError, CommandError } from '../errors.ts'
import type { Guardian } from './guardian.ts'
import type { SystemAccount } from './system-account.ts'

/** A started program. */
export interface Program {
  path: string
  child: ChildProcess
  /** Resolves, never rejects, when it has ended or failed to start. */
  ended: Promise<void>
  /** Why it could not be started. */
  failure: Error | undefined
  /** Ends it at once. */
  end: NodeJS.Signals
}

/** The error for a program that ended unexpectedly; `output` is its output. */
export function programError({ path, child, failure }: Program, output: string): CommandError {
  const lines = output.split('\n').filter(Boolean).slice(-10)
  const reason = failure?.message ?? `ended with ${child.signalCode ?? `exit code ${child.exitCode}`}`
  const cause = failure ?? new Error(lines.join('\n'))
  return new CommandError([`${path} failed: ${reason}`, ...lines.slice(-1)].join('; '), { cause })
}

/** Milliseconds for servers to write everything to disk when the emulator stops. */
const orderPatience = 20_000

/** Omits the PG* and locale variables of this process, which would affect PostgreSQL. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP } = process.env
  return {
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(PATH && { PATH }),
    ...(SystemRoot && { SystemRoot }),
    ...(TEMP && { TEMP }),
  }
}

/** Runs PostgreSQL's programs as the right user. Registers each with the guardian; `close` ends them all. */
export class Programs {
  readonly account: SystemAccount | undefined
  readonly #guardian: Guardian
  readonly #running = new Set<Program>()
  #closed = false

  constructor(account: SystemAccount | undefined, guardian: Guardian) {
    this.account = account
    this.#guardian = guardian
  }

  /** Starts a program and returns at once. `end` is the signal that ends it at once; PostgreSQL's by default. */
  launch(path: string, args: string[], stdio: StdioOptions, end: NodeJS.Signals = 'SIGQUIT'): Program {
    if (this.#closed) throw new ClosedError('The emulator is closing.')
    const { account } = this
    const child = spawn(path, args, {
      // Its own session: a Ctrl-C for the emulator must not stop databases that it still uses.
      detached: process.platform !== 'win32',
      windowsHide: true,
      cwd: '/',
      env: environment(),
      stdio,
      ...(account && { uid: account.uid, gid: account.gid }),
    })
    const program: Program = { path, child, failure: undefined, ended: Promise.resolve(), end }
    program.ended = this.#watch(program)
    return program
  }

  /** Runs a program to its end, with `input` as its standard input. */
  async run(path: string, args: string[], input = ''): Promise<void> {
    const program = this.launch(path, args, ['pipe', 'pipe', 'pipe'])
    const { stdin, stdout, stderr } = program.child
    let output = ''
    const append = (text: string) => {
      output += text
    }
    for (const stream of [stdout, stderr]) stream?.setEncoding('utf8').on('data', append)
    stdin?.on('error', () => {})
    stdin?.end(input)
    await program.ended
    if (program.child.exitCode !== 0) throw programError(program, output)
  }

  /**
   * Ends every program, and starts no new one: at once, or after the servers have written everything to disk.
   * A server that takes too long is killed.
   */
  async close(how: 'at once' | 'in order' = 'at once'): Promise<void> {
    this.#closed = true
    const running = [...this.#running]
    const sendEndSignals = () => running.forEach(({ child, end }) => void child.kill(end))
    const endInOrder = () =>
      running.forEach(({ child, end }) => void child.kill(end === 'SIGQUIT' ? 'SIGINT' : end))
    // PostgreSQL's immediate and fast shutdown (PostgreSQL docs, "Shutting Down the Server").
    if (how === 'at once') sendEndSignals()
    else endInOrder()
    const timer = setTimeout(sendEndSignals, orderPatience)
    await Promise.all(running.map(program => program.ended))
    clearTimeout(timer)
  }

  /** Whether programs are being ended. */
  get isClosed(): boolean {
    return this.#closed
  }

  #watch(program: Program): Promise<void> {
    const { child, end: signal } = program
    const { pid } = child
    if (pid !== undefined) this.#guardian.registerProcess(pid, signal)
    this.#running.add(program)
    return new Promise(resolve => {
      const end = () => {
        this.#running.delete(program)
        resolve()
      }
      child.once('exit', () => pid !== undefined && this.#guardian.unregisterProcess(pid))
      child.once('close', end)
      child.once('error', error => {
        program.failure = error
        if (pid === undefined) end()
      })
    })
  }
}

/** Whether a program found its port taken. The text is the system's for EADDRINUSE, in the locale C (strerror(3)). */
export function isPortTaken(error: unknown): boolean {
  return error instanceof CommandError && /Address already in use/.test(String(error.cause))
}
