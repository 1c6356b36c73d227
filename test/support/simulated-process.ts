/** Simulates the process of a step. */
import { EventEmitter } from 'node:events'
import { constants } from 'node:os'
import type { StepProcess } from '#action/host/host'
import type { Seam } from '#base/seam'

/** A simulated process for a step. */
export class SimulatedProcess extends EventEmitter implements StepProcess {
  exitCode: number | undefined
  readonly env: NodeJS.ProcessEnv
  /** Aborted at the end of the process, for any reason. */
  readonly over = new AbortController()

  constructor(env: NodeJS.ProcessEnv) {
    super()
    this.env = env
  }

  exit(code: number): void {
    this.end(code)
  }

  end(code = this.exitCode): void {
    if (this.over.signal.aborted) return
    this.exitCode = code
    this.over.abort()
  }

  /** Ends the process if it has no listener for the signal, as the operating system does. */
  kill(signal: NodeJS.Signals): void {
    if (!this.emit(signal)) this.end(128 + constants.signals[signal])
  }
}

/** Limits a seam to the life of a process: its end closes all connections, and pending waits never resolve. */
export function endSeamWithProcess(seam: Seam, over: AbortSignal): Seam {
  const never = new Promise<never>(() => {})
  const whileAlive = async <Result>(act: (signal: AbortSignal) => Promise<Result>, own?: AbortSignal) => {
    const signal = own ? AbortSignal.any([own, over]) : over
    try {
      return await (over.aborted ? never : act(signal))
    } finally {
      if (over.aborted) await never
    }
  }
  return {
    ...seam,
    sleep: (ms, own) => whileAlive(signal => seam.sleep(ms, signal), own),
    send: request => whileAlive(signal => seam.send({ ...request, signal }), request.signal),
  }
}
