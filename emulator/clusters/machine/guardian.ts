/** Starts the guardian, which cleans up after a killed emulator. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

// The package contains the compiled program, like this file.
const program = fileURLToPath(new URL(`./guardian-main${extname(import.meta.url)}`, import.meta.url))

/** The pipe to a child is a socket, whose type here is only that of a stream. */
function hasUnref(value: unknown): value is { unref(): void } {
  return typeof value === 'object' && value !== null && 'unref' in value && typeof value.unref === 'function'
}

/**
 * A second process that outlives this one just long enough to clean up after it. Through a pipe it learns
 * which processes and which folder belong to this one. When the pipe ends for any reason, it stops
 * those processes and deletes the folder. Must start before the folder exists.
 */
export class Guardian {
  readonly #process: ChildProcess

  /** `label` appears in the list of processes. */
  constructor(label: string) {
    const { NODE_OPTIONS: _, NODE_V8_COVERAGE: __, ...env } = process.env
    // Detached: in its own session, the guardian does not receive a Ctrl-C for this process.
    this.#process = spawn(process.execPath, [program, label], {
      cwd: '/',
      detached: true,
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    this.#process.unref()
    // A guardian that did not start or was killed is not a failure: it is needed only if this process is killed.
    this.#process.on('error', () => {})
    this.#process.stdin?.on('error', () => {})
    const pipe: unknown = this.#process.stdin
    if (hasUnref(pipe)) pipe.unref()
  }

  /** Registers a folder to be deleted if this process ends without deleting it. */
  registerFolder(folder: string): void {
    this.#process.stdin?.write(`=${JSON.stringify(folder)}\n`)
  }

  /** Registers the process `pid` and its group to be sent `signal` if this process ends without stopping them. */
  registerProcess(pid: number, signal: NodeJS.Signals): void {
    this.#process.stdin?.write(`+${JSON.stringify([pid, signal])}\n`)
  }

  /** The process `pid` has ended, and must not get a signal. */
  unregisterProcess(pid: number): void {
    this.#process.stdin?.write(`-${pid}\n`)
  }

  /** Ends the guardian, which deletes the folder if it still exists. */
  async dismiss(): Promise<void> {
    const { exitCode, signalCode, pid } = this.#process
    if (pid === undefined || exitCode !== null || signalCode !== null) return
    this.#process.ref()
    const exited = once(this.#process, 'exit')
    this.#process.stdin?.end()
    await exited
  }
}
