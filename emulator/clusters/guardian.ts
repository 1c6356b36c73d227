import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('./guardian-main.ts', import.meta.url))

/**
 * A second process that outlives this one just long enough to clean up after it. It reads from a pipe
 * which processes and which folder are ours; when the pipe ends, however we ended, it stops and removes what is
 * left of them. To be started before the folder is made.
 */
export class Guardian {
  readonly #process: ChildProcess

  /** `label` is for people who look at the list of processes. */
  constructor(label: string) {
    const { NODE_OPTIONS: _, NODE_V8_COVERAGE: __, ...env } = process.env
    // Detached: a session of its own, so that a Ctrl-C meant for us does not reach it.
    this.#process = spawn(process.execPath, [program, label], {
      cwd: '/',
      detached: true,
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    this.#process.unref()
    // A guardian that could not start or was killed is no reason for us to fail: it only protects the worst case.
    this.#process.on('error', () => {})
    this.#process.stdin?.on('error', () => {})
    const pipe: unknown = this.#process.stdin
    if (hasUnref(pipe)) pipe.unref()
  }

  /** Remove this folder, if we do not live to do it. */
  own(folder: string): void {
    this.#process.stdin?.write(`=${JSON.stringify(folder)}\n`)
  }

  /** Stop this process, and its group, if we do not live to do it. */
  watch(pid: number): void {
    this.#process.stdin?.write(`+${pid}\n`)
  }

  /** The process has ended. */
  forget(pid: number): void {
    this.#process.stdin?.write(`-${pid}\n`)
  }

  /** Ends the guardian, which removes the folder if it is still there. */
  async dismiss(): Promise<void> {
    const { exitCode, signalCode, pid } = this.#process
    if (pid === undefined || exitCode !== null || signalCode !== null) return
    this.#process.ref()
    const exited = once(this.#process, 'exit')
    this.#process.stdin?.end()
    await exited
  }
}

/** The pipe to a child is a socket, whose type here is only that of a stream. */
function hasUnref(value: unknown): value is { unref(): void } {
  return typeof value === 'object' && value !== null && 'unref' in value && typeof value.unref === 'function'
}
