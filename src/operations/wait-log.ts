import { renderDuration } from '../client/duration.ts'
import type { Context } from './context.ts'

/** After so many milliseconds of silence a wait says that it goes on, so that nobody takes it for dead. */
const heartbeat = 30_000

/** Logs the progress of a wait, each line with the time it has taken so far. */
export class WaitLog {
  #lastLine = 0
  readonly #context: Pick<Context, 'seam' | 'log'>
  readonly #start: number

  constructor(context: Pick<Context, 'seam' | 'log'>) {
    this.#context = context
    this.#start = context.seam.now()
  }

  /** Milliseconds since the wait began. */
  get elapsed(): number {
    return this.#context.seam.now() - this.#start
  }

  tell(line: string): void {
    this.#lastLine = this.elapsed
    this.#context.log.info(`[${renderDuration(this.elapsed)}] ${line}`)
  }

  /** Like `tell`, unless something was told less than half a minute ago. */
  remind(line: string): void {
    if (this.elapsed - this.#lastLine >= heartbeat) this.tell(line)
  }
}
