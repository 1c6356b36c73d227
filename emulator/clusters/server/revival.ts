// Restarts dead servers.

import { setTimeout as sleep } from 'node:timers/promises'
import { ClosedError, ClusterError } from '../errors.ts'

/** Milliseconds before each attempt. Children of the dead server may hold its memory for a moment. */
const pauses = [0, 100, 200, 400, 800, 1600]
/** A server that dies more often than this within a minute is not started again. */
const mostDeaths = 5

/** Restarts a dead server, unless it keeps dying. */
export class Revival {
  #deaths: number[] = []

  /** Rejects with the last failure of `start` when it has been tried often enough. */
  async attempt(start: () => Promise<unknown>): Promise<void> {
    const now = performance.now()
    this.#deaths = [...this.#deaths.filter(time => now - time < 60_000), now]
    if (this.#deaths.length > mostDeaths) {
      throw new ClusterError(`PostgreSQL ended ${this.#deaths.length} times within a minute; see its log.`)
    }
    let failure: unknown
    for (const pause of pauses) {
      await sleep(pause)
      try {
        await start()
        return
      } catch (error) {
        if (error instanceof ClosedError) throw error
        failure = error
      }
    }
    throw failure
  }
}
