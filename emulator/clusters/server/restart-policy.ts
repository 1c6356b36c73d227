/** Restarts crashed servers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ClosedError, ClusterError } from '../errors.ts'

/** Milliseconds before each attempt. Child processes of the crashed server may hold its memory for a moment. */
const pauses = [0, 100, 200, 400, 800, 1600]
/** A server that crashes more often than this within a minute is not restarted. */
const maxCrashes = 5

/** Restarts a crashed server, unless it crashes repeatedly. */
export class RestartPolicy {
  #crashes: number[] = []

  /** Retries `start` after each of the pauses. Rejects with the failure of the last attempt. */
  async attempt(start: () => Promise<unknown>): Promise<void> {
    const now = performance.now()
    this.#crashes = [...this.#crashes.filter(time => now - time < 60_000), now]
    if (this.#crashes.length > maxCrashes) {
      throw new ClusterError(`PostgreSQL ended ${this.#crashes.length} times within a minute; see its log.`)
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
