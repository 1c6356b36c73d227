/** Runs the server process. */
import { readFileSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ifExistsSync } from '../disk/files.ts'
import { ClusterError } from '../errors.ts'
import type { Installation } from '../installation/installation.ts'
import type { Settings } from '../installation/settings.ts'
import { type Program, programError } from '../machine/programs.ts'

/**
 * `fast` ends the sessions and writes everything to disk, `immediate` only ends (PostgreSQL docs, "Shutting Down the
 * Server").
 */
const signals = { fast: 'INT', immediate: 'QUIT' } as const
export type Shutdown = keyof typeof signals

/** The parts of a server. */
interface ServerParts {
  data: string
  socketFolder: string
  logFile: string
  port: number
  settings: Settings
}

const startPatience = 120_000
const stopPatience = 30_000

function serverArguments({ data, socketFolder, port, settings }: ServerParts): string[] {
  const all: Settings = {
    port: String(port),
    // Quoted, because a comma separates folders.
    unix_socket_directories: process.platform === 'win32' ? '' : `"${socketFolder.replaceAll('"', '""')}"`,
    ...settings,
  }
  return ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** One run of PostgreSQL on a data folder. */
export class PostgresServer {
  readonly #installation: Installation
  readonly #parts: ServerParts
  readonly #program: Program
  /** Where this run's part of the log begins. */
  readonly #logStart: number

  private constructor(installation: Installation, parts: ServerParts, program: Program, logStart: number) {
    this.#installation = installation
    this.#parts = parts
    this.#program = program
    this.#logStart = logStart
  }

  /** Starts the process; it is not ready yet. */
  static async launch(installation: Installation, parts: ServerParts): Promise<PostgresServer> {
    const log = await open(parts.logFile, 'a', 0o600)
    try {
      const { size } = await log.stat()
      const args = serverArguments(parts)
      const program = installation.programs.launch(installation.binaries.postgres, args, [
        'ignore',
        log.fd,
        log.fd,
      ])
      return new PostgresServer(installation, parts, program, size)
    } finally {
      await log.close()
    }
  }

  /** Resolves when the process has ended. */
  get ended(): Promise<void> {
    return this.#program.ended
  }

  /** Resolves when connections are accepted, rejects if the process ends first. */
  async ready(): Promise<void> {
    let ended = false
    void this.ended.then(() => {
      ended = true
    })
    const deadline = performance.now() + startPatience
    while (!this.#isReady()) {
      if (ended) throw programError(this.#program, await this.#readLog())
      if (performance.now() > deadline) {
        throw new ClusterError(`PostgreSQL was not ready after ${startPatience / 1000} s.`, {
          cause: new Error(await this.#readLog()),
        })
      }
      await sleep(5)
    }
  }

  /** Stops the process and waits for its end. */
  async stop(how: Shutdown): Promise<void> {
    await this.#signal(signals[how])
    const timer = setTimeout(() => void this.#signal('QUIT'), stopPatience)
    await this.ended
    clearTimeout(timer)
  }

  /** PostgreSQL writes its state to the eighth line of postmaster.pid, where pg_ctl reads it too (pidfile.h). */
  #isReady(): boolean {
    const file = path.join(this.#parts.data, 'postmaster.pid')
    // A hundred bytes that are read often: reading synchronously is quicker.
    const lines = ifExistsSync(() => readFileSync(file, 'utf8').split('\n'))
    return lines?.[0] === String(this.#program.child.pid) && lines[7]?.trim() === 'ready'
  }

  async #readLog(): Promise<string> {
    const log = await readFile(this.#parts.logFile)
    return log.subarray(this.#logStart).toString()
  }

  async #signal(name: 'INT' | 'QUIT'): Promise<void> {
    const { child } = this.#program
    if (process.platform !== 'win32') {
      child.kill(`SIG${name}`)
    } else if (child.pid !== undefined) {
      // Windows has no signals; pg_ctl uses the server's own imitation of them.
      const { programs, binaries } = this.#installation
      await programs.run(binaries.pgCtl, ['kill', name, String(child.pid)]).catch(() => {})
    }
  }
}
